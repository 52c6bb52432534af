/// A rectangle of float32 in a slab: rows (tokens) × columns, rows `stride` elements apart.
@safe package struct FloatRows: Sendable {
  package let slab: Slab<Float>
  package let offset: Int
  package let rows: Int
  package let columns: Int
  package let stride: Int

  /// Traps if the rectangle does not lie inside the slab.
  package init(
    _ slab: Slab<Float>, offset: Int = 0, rows: Int, columns: Int, stride: Int? = nil
  ) {
    let stride = stride ?? columns
    precondition(offset >= 0 && rows >= 0 && columns >= 0 && stride >= columns)
    precondition(
      rows == 0 || offset + (rows - 1) * stride + columns <= slab.count,
      "\(rows) × \(columns) rows, \(stride) apart from \(offset), in \(slab.count) elements")
    self.slab = slab
    self.offset = offset
    self.rows = rows
    self.columns = columns
    self.stride = stride
  }

  /// The same columns of some of the rows.
  package func rows(_ range: Range<Int>) -> FloatRows {
    precondition(range.lowerBound >= 0 && range.upperBound <= rows, "rows \(range) of \(rows)")
    return FloatRows(
      slab, offset: offset + range.lowerBound * stride, rows: range.count, columns: columns,
      stride: stride)
  }

  /// Some of the columns of every row.
  package func columns(_ range: Range<Int>) -> FloatRows {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= columns, "columns \(range) of \(columns)")
    return FloatRows(
      slab, offset: offset + range.lowerBound, rows: rows, columns: range.count, stride: stride)
  }

  package subscript(row: Int, column: Int) -> Float {
    get { slab[index(row, column)] }
    nonmutating set { slab[index(row, column)] = newValue }
  }

  private func index(_ row: Int, _ column: Int) -> Int {
    precondition(row >= 0 && row < rows && column >= 0 && column < columns)
    return offset + row * stride + column
  }

  /// Sets every element.
  package func fill(_ value: Float) {
    for row in 0..<rows {
      unsafe pointer(row: row).update(repeating: value, count: columns)
    }
  }

  /// Takes over the elements of a rectangle of the same size, which must not overlap.
  package func copy(from other: FloatRows) {
    precondition(rows == other.rows && columns == other.columns)
    for row in 0..<rows {
      unsafe pointer(row: row).update(from: other.pointer(row: row), count: columns)
    }
  }

  /// A copy of one row.
  package func elements(row: Int) -> [Float] {
    let start = columns == 0 ? 0 : index(row, 0)
    return slab.elements(start..<start + columns)
  }

  /// The first element of a row; row `rows` is allowed when no row is read through it.
  @inline(__always)
  func pointer(row: Int) -> UnsafeMutablePointer<Float> {
    unsafe slab.base + (offset + row * stride)
  }
}
