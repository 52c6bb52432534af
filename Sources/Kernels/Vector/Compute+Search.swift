extension Compute {
  /// The column of a row's largest element, the first if several are.
  ///
  /// NaN is passed over; without a number above −∞ the answer is 0.
  package func indexOfMaximum(_ x: FloatRows, row: Int = 0) -> Int {
    precondition(row >= 0 && row < x.rows && x.columns > 0)
    return unsafe kernels.vector.indexOfMaximum(x.pointer(row: row), x.columns)
  }
}
