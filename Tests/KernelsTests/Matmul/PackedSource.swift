import Kernels

/// A matrix whose rows give their codes packed as well.
struct PackedSource: RowSource {
  let source: MatmulSource
  let packing: CodePacking?

  var name: String { source.name }
  var rows: Int { source.rows }
  var columns: Int { source.columns }
  var format: MatrixFormat { source.format }
  var sourceByteCount: Int { source.sourceByteCount }

  /// Never called for a matrix that is taken from its packed codes.
  func unpack(
    row: Int, codes: inout MutableSpan<UInt8>, scales: inout MutableSpan<UInt8>,
    offsets: inout MutableSpan<UInt8>
  ) throws {
    preconditionFailure("unpacked")
  }

  func copy(
    row: Int, codes: inout MutableSpan<UInt8>, scales: inout MutableSpan<UInt8>,
    offsets: inout MutableSpan<UInt8>
  ) throws {
    var unpacked = [UInt8](repeating: 0, count: columns)
    var span = unpacked.mutableSpan
    try source.unpack(row: row, codes: &span, scales: &scales, offsets: &offsets)
    for index in codes.indices { codes[index] = 0 }
    for (column, code) in unpacked.enumerated() {
      let bits = format.bits ?? 0
      let bit =
        switch packing {
        case .halves: column / 32 * 128 + column % 16 * 8 + (column % 32 < 16 ? 0 : 4)
        case .ascending, nil: column * bits
        }
      codes[bit / 8] |= code << UInt8(bit % 8)
    }
  }
}
