package import Kernels

/// The rows of a matrix in another order, or some of them.
package struct PermutedRows: RowSource {
  private let source: any RowSource
  private let map: [Int32]

  /// Row i is row `map[i]` of `source`.
  package init(_ source: any RowSource, map: [Int32]) {
    precondition(map.allSatisfy { $0 >= 0 && $0 < source.rows })
    self.source = source
    self.map = map
  }

  package var name: String { source.name }
  package var rows: Int { map.count }
  package var columns: Int { source.columns }
  package var format: MatrixFormat { source.format }
  package var sourceByteCount: Int { source.sourceByteCount / source.rows * map.count }

  package func unpack(
    row: Int, codes: inout MutableSpan<UInt8>, scales: inout MutableSpan<UInt8>,
    offsets: inout MutableSpan<UInt8>
  ) throws {
    try source.unpack(row: Int(map[row]), codes: &codes, scales: &scales, offsets: &offsets)
  }

  package var packing: CodePacking? { source.packing }

  package func copy(
    row: Int, codes: inout MutableSpan<UInt8>, scales: inout MutableSpan<UInt8>,
    offsets: inout MutableSpan<UInt8>
  ) throws {
    try source.copy(row: Int(map[row]), codes: &codes, scales: &scales, offsets: &offsets)
  }

  /// Releases the span of source rows that the range covers; what of it is still needed is only
  /// read again.
  package func release(rows range: Range<Int>) {
    guard let first = map[range].min(), let last = map[range].max() else { return }
    source.release(rows: Int(first)..<Int(last) + 1)
  }
}
