import Kernels

/// What every block needs to know of the forward pass it takes part in.
struct Pass: Sendable {
  let compute: Compute
  let workspace: Workspace
  let backend: MatmulBackend
}
