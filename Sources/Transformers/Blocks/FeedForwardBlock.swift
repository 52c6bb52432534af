import Kernels

/// A gated feed-forward: down(activation(gate · x) ⊙ (up · x)) (Shazeer 2020, arXiv:2002.05202).
struct FeedForwardBlock: Sendable {
  let gate, up, down: PreparedMatrix
  let activation: BlockDesign.Activation
  let inputs, outputs: [PreparedMatrix]

  init(
    gate: PreparedMatrix, up: PreparedMatrix, down: PreparedMatrix,
    activation: BlockDesign.Activation
  ) {
    (self.gate, self.up, self.down) = (gate, up, down)
    self.activation = activation
    inputs = [gate, up]
    outputs = [down]
  }

  var byteCount: Int { gate.byteCount + up.byteCount + down.byteCount }

  /// Adds the block's result to `result`, or stores it there; `input` is (token × hidden).
  func apply(_ input: FloatRows, into result: FloatRows, mode: MultiplyMode, pass: Pass) {
    let compute = pass.compute
    let workspace = pass.workspace
    let gates = FloatRows(workspace.gate, rows: input.rows, columns: gate.rows)
    let ups = FloatRows(workspace.up, rows: input.rows, columns: up.rows)
    compute.quantise(
      input, for: inputs, into: workspace.hiddenActivations, backend: pass.backend)
    let products: [2 of Compute.Product] = [(gate, gates), (up, ups)]
    compute.multiply(
      products.span, by: workspace.hiddenActivations, backend: pass.backend)
    switch activation {
    case .silu: compute.siluMultiply(gate: gates, up: ups, into: gates)
    case .geluTanh: compute.geluTanhMultiply(gate: gates, up: ups, into: gates)
    }
    compute.quantise(
      gates, for: outputs, into: workspace.feedForwardActivations, backend: pass.backend)
    let product: [1 of Compute.Product] = [(down, result)]
    compute.multiply(
      product.span, by: workspace.feedForwardActivations, mode: mode, backend: pass.backend)
  }
}
