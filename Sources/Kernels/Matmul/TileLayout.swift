import KernelTypes

/// Where the parts of a tile of 16 rows lie, in bytes.
struct TileLayout: Hashable {
  /// After the scales, or after the elements of a dense matrix.
  let offsetsSection: Int
  let codesSection: Int
  let stride: Int
  let tiles: Int
  let byteCount: Int

  /// - Throws: ``MatrixError`` if the format or shape is not supported.
  init(name: String, rows: Int, columns: Int, format: MatrixFormat) throws(MatrixError) {
    let multiple = try Self.columnMultiple(name: name, format)
    guard rows > 0, columns > 0, columns % multiple == 0 else {
      throw .unsupportedShape(name: name, rows: rows, columns: columns, multiple: multiple)
    }
    // Bounds every product below.
    guard columns <= 1 << 32, rows <= 1 << 48 else {
      throw .tooLarge(name: name, rows: rows, columns: columns)
    }
    let (scales, offsets) = format.rowByteCounts(columns: columns)
    offsetsSection = Self.aligned(scales * TileGeometry.rows)
    codesSection = offsetsSection + Self.aligned(offsets * TileGeometry.rows)
    stride = codesSection + columns / 32 * 64 * (format.bits ?? 0)
    tiles = (rows + TileGeometry.rows - 1) / TileGeometry.rows
    let (bytes, overflow) = tiles.multipliedReportingOverflow(by: stride)
    guard !overflow, bytes <= 1 << 48 else {
      throw .tooLarge(name: name, rows: rows, columns: columns)
    }
    byteCount = bytes
  }

  private static func columnMultiple(
    name: String, _ format: MatrixFormat
  ) throws(MatrixError) -> Int {
    switch format {
    case .grouped(let bits, let group, _, let zero):
      let isKnown =
        switch zero {
        case .signs: bits == 1
        case .symmetric(let zero): (0...255).contains(zero)
        case .affine: true
        }
      guard isKnown, [1, 2, 3, 4, 5, 6, 8].contains(bits), [16, 32, 64, 128].contains(group) else {
        throw .unsupportedFormat(name: name, format)
      }
      return max(group, TileGeometry.blockInputs)
    case .superblockAffine(let bits):
      guard bits == 4 || bits == 5 else { throw .unsupportedFormat(name: name, format) }
      return 256
    case .superblockSymmetric: return 256
    case .dense: return 1
    }
  }

  private static func aligned(_ bytes: Int) -> Int { (bytes + 63) & ~63 }
}
