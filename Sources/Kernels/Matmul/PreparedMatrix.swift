import KernelTypes

/// A matrix in tiles of 16 rows, ready for the kernels of every instruction set.
///
/// Immutable once it is prepared.
@safe package final class PreparedMatrix: @unchecked Sendable {
  package let name: String
  package let rows: Int
  package let columns: Int
  package let format: MatrixFormat
  let layout: TileLayout
  /// The first tile; lives as long as `memory`.
  let tiles: UnsafeMutableRawPointer
  private let memory: TileMemory

  init(_ source: any RowSource, layout: TileLayout, memory: TileMemory, offset: Int) {
    name = source.name
    rows = source.rows
    columns = source.columns
    format = source.format
    self.layout = layout
    self.memory = memory
    unsafe tiles = memory.base + offset
  }

  /// Inputs that share a scale of the quantised activations; nil for dense matrices.
  var activationGroup: Int? { format.activationGroup(columns: columns) }

  /// Bytes that the tiles take.
  package var byteCount: Int { layout.byteCount }

  /// Bytes that a product with one token reads.
  package var bytesReadPerToken: Int { layout.byteCount }

  /// Bytes that a matrix would take, before anything is allocated.
  ///
  /// - Throws: ``MatrixError`` if the format or shape is not supported.
  package static func byteCount(rows: Int, columns: Int, format: MatrixFormat) throws -> Int {
    try TileLayout(name: "", rows: rows, columns: columns, format: format).byteCount
  }

  /// The tiles of a grouped matrix as the kernels take them.
  var groupedTiles: GroupedTiles {
    unsafe GroupedTiles(
      bits: format.bits ?? 8, group: format.group ?? 32, scaleStorage: scaleStorage,
      isAffine: format.isAffine, isSigns: isSigns, tiles: tiles, tileStride: layout.stride,
      chunkGroups: layout.chunkGroups, offsetsSection: layout.offsetsSection,
      codesSection: layout.codesSection, chunkStride: layout.chunkStride, rows: rows,
      columns: columns)
  }

  var scaleStorage: ScaleStorage {
    switch format {
    case .grouped(_, _, let type, _), .dense(let type): type.storage
    case .superblockAffine, .superblockSymmetric: .superblock
    }
  }

  private var isSigns: Bool {
    if case .grouped(_, _, _, .signs) = format { true } else { false }
  }
}

extension ScaleType {
  var storage: ScaleStorage {
    switch self {
    case .float16: .float16
    case .bfloat16: .bfloat16
    case .float32: .float32
    }
  }
}
