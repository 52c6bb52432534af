extension FloatRows {
  /// Calls `body` with the elements of a row.
  package func withMutableRow<Result, Failure: Error>(
    _ row: Int, _ body: (inout MutableSpan<Float>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(row >= 0 && row < rows, "row \(row) of \(rows)")
    var span = unsafe MutableSpan(_unsafeStart: pointer(row: row), count: columns)
    return try body(&span)
  }
}
