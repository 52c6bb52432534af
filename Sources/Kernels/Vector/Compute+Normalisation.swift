extension Compute {
  /// target = x / √(mean x² + epsilon) · weight, over each row or each head of a row.
  ///
  /// A row of the target holds `heads` heads of `weight.count` columns; those of x are `headStride`
  /// apart (as many as a head has, by default). The target may be x if they lie alike.
  package func rmsNorm(
    _ x: FloatRows, heads: Int = 1, headStride: Int? = nil, weight: Slab<Float>,
    epsilon: Float, into target: FloatRows
  ) {
    let width = weight.count
    let stride = headStride ?? width
    precondition(heads > 0 && stride >= width && x.rows == target.rows)
    precondition(x.columns >= (heads - 1) * stride + width && target.columns == heads * width)
    run(
      rows: x.rows, columns: target.columns,
      Normalisation(
        compute: self, x: x, heads: heads, headStride: stride,
        weight: weight, epsilon: epsilon, target: target))
  }
}

private struct Normalisation: ParallelWork {
  let compute: Compute
  let x: FloatRows
  let heads: Int
  let headStride: Int
  let weight: Slab<Float>
  let epsilon: Float
  let target: FloatRows

  func perform(_ items: Range<Int>, worker: Int) {
    let width = weight.count
    for row in items {
      for head in 0..<heads {
        unsafe compute.kernels.vector.normalise(
          x.pointer(row: row) + head * headStride, weight.base, epsilon,
          target.pointer(row: row) + head * width, width)
      }
    }
  }
}
