import Kernels

/// A projection: a matrix and, in some families, a bias of one number per output row.
struct Linear: Sendable {
  let matrix: PreparedMatrix
  let bias: Slab<Float>?

  func addBias(to rows: FloatRows, _ compute: Compute) {
    guard let bias else { return }
    compute.addBias(bias, to: rows)
  }
}
