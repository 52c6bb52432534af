package import Kernels

/// The rows of several matrices of one format and width as one matrix.
package struct ConcatenatedRows: RowSource {
  package let name: String
  package let rows: Int
  private let sources: [any RowSource]
  /// The first row of each source.
  private let starts: [Int]
  /// That of all sources, if they have one in common.
  package let packing: CodePacking?

  /// Nil if there is no source, or if formats or columns differ.
  package init?(_ sources: [any RowSource], name: String) {
    guard let first = sources.first,
      sources.allSatisfy({ $0.format == first.format && $0.columns == first.columns })
    else { return nil }
    self.sources = sources
    self.name = name
    var starts: [Int] = []
    var rows = 0
    for source in sources {
      starts.append(rows)
      rows += source.rows
    }
    self.starts = starts
    packing = sources.allSatisfy { $0.packing == first.packing } ? first.packing : nil
    self.rows = rows
  }

  package var columns: Int { sources[0].columns }
  package var format: MatrixFormat { sources[0].format }
  package var sourceByteCount: Int { sources.reduce(0) { $0 + $1.sourceByteCount } }

  package func unpack(
    row: Int, codes: inout MutableSpan<UInt8>, scales: inout MutableSpan<UInt8>,
    offsets: inout MutableSpan<UInt8>
  ) throws {
    precondition(row >= 0 && row < rows)
    // Few sources, so a search is as good as any table.
    guard let index = starts.lastIndex(where: { $0 <= row }) else { return }
    try sources[index].unpack(
      row: row - starts[index], codes: &codes, scales: &scales, offsets: &offsets)
  }

  package func copy(
    row: Int, codes: inout MutableSpan<UInt8>, scales: inout MutableSpan<UInt8>,
    offsets: inout MutableSpan<UInt8>
  ) throws {
    precondition(row >= 0 && row < rows)
    guard let index = starts.lastIndex(where: { $0 <= row }) else { return }
    try sources[index].copy(
      row: row - starts[index], codes: &codes, scales: &scales, offsets: &offsets)
  }

  package func release(rows range: Range<Int>) {
    for (source, start) in zip(sources, starts) {
      let part = range.clamped(to: start..<start + source.rows)
      guard !part.isEmpty else { continue }
      source.release(rows: part.lowerBound - start..<part.upperBound - start)
    }
  }
}
