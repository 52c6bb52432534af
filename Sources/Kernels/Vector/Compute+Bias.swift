extension Compute {
  /// Adds one number per column to every row.
  package func addBias(_ bias: Slab<Float>, to target: FloatRows) {
    precondition(bias.count == target.columns)
    run(
      rows: target.rows, columns: target.columns,
      BiasAddition(compute: self, bias: bias, target: target))
  }
}

private struct BiasAddition: ParallelWork {
  let compute: Compute
  let bias: Slab<Float>
  let target: FloatRows

  func perform(_ items: Range<Int>, worker: Int) {
    for row in items {
      unsafe compute.kernels.vector.add(
        UnsafePointer(bias.base), target.pointer(row: row), target.columns)
    }
  }
}
