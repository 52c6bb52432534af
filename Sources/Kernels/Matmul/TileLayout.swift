import KernelTypes

/// Where the parts of a tile of 16 rows lie, in bytes.
///
/// A tile of a grouped matrix is a sequence of chunks, as `GroupedTiles` describes; one of a dense
/// matrix is its elements.
struct TileLayout: Hashable {
  /// Groups of a chunk; the last chunk may have fewer.
  let chunkGroups: Int
  /// Inside a chunk, after its scales.
  let offsetsSection: Int
  /// Inside a chunk.
  let codesSection: Int
  let chunkStride: Int
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
    if let bits = format.bits, let group = format.group {
      chunkGroups = format.chunkGroups
      let (scales, offsets) = format.rowByteCounts(columns: chunkGroups * group)
      offsetsSection = scales * TileGeometry.rows
      codesSection = Self.aligned(offsetsSection + offsets * TileGeometry.rows)
      chunkStride = codesSection + chunkGroups * group * TileGeometry.rows * bits / 8
      let (chunks, rest) = (columns / group).quotientAndRemainder(dividingBy: chunkGroups)
      let last = rest == 0 ? 0 : codesSection + rest * group * TileGeometry.rows * bits / 8
      stride = chunks * chunkStride + last
    } else {
      chunkGroups = 1
      offsetsSection = 0
      codesSection = 0
      chunkStride = 0
      stride = Self.aligned(format.rowByteCounts(columns: columns).scales * TileGeometry.rows)
    }
    tiles = (rows + TileGeometry.rows - 1) / TileGeometry.rows
    let (bytes, overflow) = tiles.multipliedReportingOverflow(by: stride)
    guard !overflow, bytes <= 1 << 48 else {
      throw .tooLarge(name: name, rows: rows, columns: columns)
    }
    byteCount = bytes
  }

  /// - Throws: ``MatrixError`` if the format or shape is not supported.
  init(_ source: any RowSource) throws(MatrixError) {
    try self.init(
      name: source.name, rows: source.rows, columns: source.columns, format: source.format)
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
