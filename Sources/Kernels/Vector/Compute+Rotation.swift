extension Compute {
  /// Rotates the first `table.dimensions` elements of every head, pair i being elements i and
  /// i + dimensions / 2.
  ///
  /// x is tokens × (heads · headDimension); row r is turned by the angles of the r-th position
  /// that the table was prepared for.
  package func rotate(_ x: FloatRows, heads: Int, headDimension: Int, table: RotaryAngles) {
    precondition(x.columns == heads * headDimension && table.dimensions <= headDimension)
    precondition(x.rows <= table.positions.count)
    run(
      rows: x.rows, columns: x.columns,
      Rotation(
        compute: self, x: x, heads: heads, headDimension: headDimension,
        table: table))
  }
}

private struct Rotation: ParallelWork {
  let compute: Compute
  let x: FloatRows
  let heads: Int
  let headDimension: Int
  let table: RotaryAngles

  func perform(_ items: Range<Int>, worker: Int) {
    for row in items {
      unsafe compute.kernels.vector.rotate(
        x.pointer(row: row), heads, headDimension, table.dimensions / 2,
        table.cosines(row: row), table.sines(row: row))
    }
  }
}
