import KernelTypes
import KernelsPortable
import Synchronization

extension PreparedMatrix {
  /// Reads a matrix row by row and arranges it in tiles, on all threads.
  ///
  /// - Throws: ``MatrixError``, with the tensor's name, for an unsupported format or shape and for
  ///   scales, offsets or elements that are not finite; and what the source throws.
  package static func prepare(
    _ source: any RowSource, compute: Compute
  ) throws -> PreparedMatrix {
    let layout = try TileLayout(
      name: source.name, rows: source.rows, columns: source.columns, format: source.format)
    guard let (memory, offset) = compute.tiles.allocate(byteCount: layout.byteCount) else {
      throw MatrixError.outOfMemory(name: source.name, byteCount: layout.byteCount)
    }
    let failure = FirstFailure()
    let scratch = TileScratch(columns: source.columns, format: source.format)
    let work = unsafe Preparation(
      source: source, layout: layout, tiles: memory.base + offset, failure: failure,
      scratch: (0..<compute.pool.threads).map { _ in scratch.copy() })
    let tilesPerItem = max(1, min(16, (1 << 20) / max(layout.stride, 1)))
    let items = (layout.tiles + tilesPerItem - 1) / tilesPerItem
    compute.pool.run(items, Preparation.Chunks(preparation: work, tilesPerItem: tilesPerItem))
    if let error = failure.error {
      throw error
    }
    return PreparedMatrix(
      name: source.name, rows: source.rows, columns: source.columns, format: source.format,
      layout: layout, memory: memory, offset: offset)
  }
}

/// The first error of several threads.
private final class FirstFailure: Sendable {
  private let first = Mutex<(any Error)?>(nil)

  var error: (any Error)? { first.withLock { $0 } }

  func record(_ error: any Error) {
    first.withLock { $0 = $0 ?? error }
  }
}

/// Sixteen unpacked rows, for one worker.
private struct TileScratch {
  let codes: Slab<UInt8>
  let scales: Slab<UInt8>
  let offsets: Slab<UInt8>

  init(columns: Int, format: MatrixFormat) {
    let (scales, offsets) = format.rowByteCounts(columns: columns)
    codes = Slab(count: format.bits == nil ? 0 : columns * TileGeometry.rows)
    self.scales = Slab(count: scales * TileGeometry.rows)
    self.offsets = Slab(count: offsets * TileGeometry.rows)
  }

  private init(codes: Int, scales: Int, offsets: Int) {
    self.codes = Slab(count: codes)
    self.scales = Slab(count: scales)
    self.offsets = Slab(count: offsets)
  }

  func copy() -> TileScratch {
    TileScratch(codes: codes.count, scales: scales.count, offsets: offsets.count)
  }
}

/// The preparation of one matrix.
@safe private struct Preparation {
  let source: any RowSource
  let layout: TileLayout
  let tiles: UnsafeMutableRawPointer
  let failure: FirstFailure
  let scratch: [TileScratch]

  struct Chunks: ParallelWork {
    let preparation: Preparation
    let tilesPerItem: Int

    func perform(_ items: Range<Int>, worker: Int) {
      for item in items where preparation.failure.error == nil {
        let first = item * tilesPerItem
        do {
          try preparation.prepare(
            tiles: first..<min(first + tilesPerItem, preparation.layout.tiles), worker: worker)
        } catch {
          preparation.failure.record(error)
        }
      }
    }
  }

  private func prepare(tiles: Range<Int>, worker: Int) throws {
    let columns = source.columns
    let format = source.format
    let counts = format.rowByteCounts(columns: columns)
    let scratch = scratch[worker]
    for tile in tiles {
      let firstRow = tile * TileGeometry.rows
      let present = min(TileGeometry.rows, source.rows - firstRow)
      if present < TileGeometry.rows {
        unsafe scratch.codes.base.update(repeating: 0, count: scratch.codes.count)
        unsafe scratch.scales.base.update(repeating: 0, count: scratch.scales.count)
        unsafe scratch.offsets.base.update(repeating: 0, count: scratch.offsets.count)
      }
      let rowCodes = format.bits == nil ? 0 : columns
      for row in 0..<present {
        var codes = unsafe MutableSpan(
          _unsafeStart: scratch.codes.base + row * rowCodes, count: rowCodes)
        var scales = unsafe MutableSpan(
          _unsafeStart: scratch.scales.base + row * counts.scales, count: counts.scales)
        var offsets = unsafe MutableSpan(
          _unsafeStart: scratch.offsets.base + row * counts.offsets, count: counts.offsets)
        try source.unpack(row: firstRow + row, codes: &codes, scales: &scales, offsets: &offsets)
      }
      try pack(tile: tile, scratch: scratch)
    }
    let lastRow = min(tiles.upperBound * TileGeometry.rows, source.rows)
    source.release(rows: tiles.lowerBound * TileGeometry.rows..<lastRow)
  }

  private func pack(tile: Int, scratch: TileScratch) throws {
    let columns = source.columns
    let target = unsafe tiles + tile * layout.stride
    guard let bits = source.format.bits, let group = source.format.group else {
      return unsafe try pack(scratch.scales, groups: 0..<columns, tile: tile, into: target)
    }
    var chunk = unsafe target
    for first in stride(from: 0, to: columns / group, by: layout.chunkGroups) {
      let groups = first..<min(first + layout.chunkGroups, columns / group)
      unsafe try pack(scratch.scales, groups: groups, tile: tile, into: chunk)
      if source.format.isAffine {
        unsafe try pack(
          scratch.offsets, groups: groups, tile: tile, into: chunk + layout.offsetsSection)
      }
      unsafe packCodes(
        scratch.codes.base + first * group, stride: columns, columns: groups.count * group,
        bits: bits, into: chunk + layout.codesSection)
      unsafe chunk += layout.chunkStride
    }
  }

  /// Arranges the scales, offsets or elements of some groups.
  private func pack(
    _ values: Slab<UInt8>, groups: Range<Int>, tile: Int, into target: UnsafeMutableRawPointer
  ) throws {
    let rowBytes = values.count / TileGeometry.rows
    let rows = unsafe UnsafeRawPointer(values.base)
    let bad: Int
    switch source.format {
    case .grouped(_, _, let type, _), .dense(let type):
      unsafe bad = packElements(
        rows + groups.lowerBound * type.byteCount, rowBytes: rowBytes, count: groups.count,
        storage: type.storage, into: target)
    case .superblockAffine:
      unsafe bad = packSuperblock(
        rows + groups.lowerBound / 8 * 10, rowBytes: rowBytes, factors: 8, into: target)
    case .superblockSymmetric:
      unsafe bad = packSuperblock(
        rows + groups.lowerBound / 16 * 18, rowBytes: rowBytes, factors: 16, into: target)
    }
    guard bad < 0 else {
      throw MatrixError.notFinite(
        name: source.name, row: tile * TileGeometry.rows + bad % TileGeometry.rows,
        group: groups.lowerBound + bad / TileGeometry.rows)
    }
  }
}
