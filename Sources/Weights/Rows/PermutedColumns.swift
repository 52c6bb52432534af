package import Kernels

/// The columns of a matrix in another order of whole groups, as Qwen3.5's GGUF files order the
/// value heads of `ssm_out`.
///
/// Columns move in blocks: each block must be a whole number of the format's groups, so that codes
/// keep their scales.
package struct PermutedColumns: RowSource {
  private let source: any RowSource
  private let block: Int
  private let map: [Int]
  private let scaleBytes: Int
  private let offsetBytes: Int

  /// Block i of `block` columns is block `map[i]` of `source`; nil if blocks are no whole groups.
  package init?(_ source: any RowSource, block: Int, map: [Int]) {
    precondition(block * map.count == source.columns)
    precondition(map.allSatisfy { $0 >= 0 && $0 < map.count })
    let (unit, scaleUnit, offsetUnit): (Int, Int, Int) =
      switch source.format {
      case .grouped(_, let group, let type, let zero):
        (group, type.byteCount, zero == .affine ? type.byteCount : 0)
      case .superblockAffine: (256, 10, 10)
      case .superblockSymmetric: (256, 18, 0)
      case .dense(let type): (1, type.byteCount, 0)
      }
    guard block % unit == 0 else { return nil }
    self.source = source
    self.block = block
    self.map = map
    scaleBytes = block / unit * scaleUnit
    offsetBytes = block / unit * offsetUnit
  }

  package var name: String { source.name }
  package var rows: Int { source.rows }
  package var columns: Int { source.columns }
  package var format: MatrixFormat { source.format }
  package var sourceByteCount: Int { source.sourceByteCount }

  package func unpack(
    row: Int, codes: inout MutableSpan<UInt8>, scales: inout MutableSpan<UInt8>,
    offsets: inout MutableSpan<UInt8>
  ) throws {
    var unpacked = UnpackedRow(format: format, columns: columns)
    try unpacked.unpack(source, row: row)
    move(unpacked.codes, to: &codes, size: unpacked.codes.isEmpty ? 0 : block)
    move(unpacked.scales, to: &scales, size: scaleBytes)
    move(unpacked.offsets, to: &offsets, size: offsetBytes)
  }

  private func move(_ bytes: [UInt8], to target: inout MutableSpan<UInt8>, size: Int) {
    for (index, from) in map.enumerated() {
      for byte in 0..<size { target[index * size + byte] = bytes[from * size + byte] }
    }
  }

  package func release(rows range: Range<Int>) {
    source.release(rows: range)
  }
}
