package import Kernels

/// Consecutive rows of a matrix: one of the matrices in a fused tensor, or one expert.
package struct RowSlice: RowSource {
  package let name: String
  private let source: any RowSource
  private let range: Range<Int>

  /// Rows `range` of `source`, under a name of their own if one is given.
  package init(_ source: any RowSource, rows range: Range<Int>, name: String? = nil) {
    precondition(range.lowerBound >= 0 && range.upperBound <= source.rows)
    self.source = source
    self.range = range
    self.name = name ?? source.name
  }

  package var rows: Int { range.count }
  package var columns: Int { source.columns }
  package var format: MatrixFormat { source.format }
  package var sourceByteCount: Int { source.sourceByteCount / source.rows * range.count }

  package func unpack(
    row: Int, codes: inout MutableSpan<UInt8>, scales: inout MutableSpan<UInt8>,
    offsets: inout MutableSpan<UInt8>
  ) throws {
    precondition(row >= 0 && row < range.count)
    try source.unpack(
      row: range.lowerBound + row, codes: &codes, scales: &scales, offsets: &offsets)
  }

  package var packing: CodePacking? { source.packing }

  package func copy(
    row: Int, codes: inout MutableSpan<UInt8>, scales: inout MutableSpan<UInt8>,
    offsets: inout MutableSpan<UInt8>
  ) throws {
    precondition(row >= 0 && row < range.count)
    try source.copy(
      row: range.lowerBound + row, codes: &codes, scales: &scales, offsets: &offsets)
  }

  package func release(rows part: Range<Int>) {
    source.release(
      rows: range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound)
  }
}
