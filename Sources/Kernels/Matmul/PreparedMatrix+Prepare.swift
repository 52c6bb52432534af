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
    let layout = try TileLayout(source)
    guard let (memory, offset) = compute.tiles.allocate(byteCount: layout.byteCount) else {
      throw MatrixError.outOfMemory(name: source.name, byteCount: layout.byteCount)
    }
    try unsafe Preparation(source: source, layout: layout, threads: compute.pool.threads)
      .run(0..<layout.tiles, into: memory.base + offset, pool: compute.pool)
    return PreparedMatrix(source, layout: layout, memory: memory, offset: offset)
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

/// Sixteen rows as their source gives them, for one worker.
private struct TileScratch {
  let codes: Slab<UInt8>
  let scales: Slab<UInt8>
  let offsets: Slab<UInt8>

  init(_ source: any RowSource) {
    let (scales, offsets) = source.format.rowByteCounts(columns: source.columns)
    codes = Slab(count: source.rowCodeByteCount * TileGeometry.rows)
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

extension RowSource {
  /// Bytes of a row's codes: packed if they can be had so, else one each; none if dense.
  fileprivate var rowCodeByteCount: Int {
    guard let bits = format.bits else { return 0 }
    return packing == nil ? columns : columns / 8 * bits
  }
}

/// The preparation of one matrix.
struct Preparation {
  private let source: any RowSource
  // Asked of the source once rather than for each chunk.
  private let columns: Int
  private let format: MatrixFormat
  private let packing: CodePacking?
  private let layout: TileLayout
  private let failure = FirstFailure()
  private let scratch: [TileScratch]

  init(source: any RowSource, layout: TileLayout, threads: Int) {
    self.source = source
    columns = source.columns
    format = source.format
    packing = source.packing
    if let packing {
      precondition(packing.holds(bits: format.bits), "\(source.name): \(packing) \(format)")
    }
    self.layout = layout
    let first = TileScratch(source)
    scratch = (0..<threads).map { _ in first.copy() }
  }

  /// Arranges some tiles, one after another from `target`, writing other blocks beside that.
  func run(
    _ tiles: Range<Int>, into target: UnsafeMutableRawPointer, beside blocks: BlockWork? = nil,
    pool: ThreadPool
  ) throws {
    let tilesPerItem = max(1, min(16, (1 << 20) / max(layout.stride, 1)))
    let items = (tiles.count + tilesPerItem - 1) / tilesPerItem
    let chunks = unsafe Chunks(
      preparation: self, tiles: tiles, tilesPerItem: tilesPerItem, target: target)
    if let blocks {
      let count = blocks.blocks.count
      pool.run(count + items, ConsecutiveWork(first: blocks, count: count, second: chunks))
    } else {
      pool.run(items, chunks)
    }
    if let error = failure.error {
      throw error
    }
  }

  @safe private struct Chunks: ParallelWork {
    let preparation: Preparation
    let tiles: Range<Int>
    let tilesPerItem: Int
    let target: UnsafeMutableRawPointer

    func perform(_ items: Range<Int>, worker: Int) {
      for item in items where preparation.failure.error == nil {
        let first = item * tilesPerItem
        let range =
          tiles.lowerBound + first..<min(tiles.lowerBound + first + tilesPerItem, tiles.upperBound)
        do {
          unsafe try preparation.prepare(
            range, into: target + first * preparation.layout.stride, worker: worker)
        } catch {
          preparation.failure.record(error)
        }
      }
    }
  }

  private func prepare(
    _ tiles: Range<Int>, into target: UnsafeMutableRawPointer, worker: Int
  ) throws {
    let counts = format.rowByteCounts(columns: columns)
    let scratch = scratch[worker]
    let rowCodes = scratch.codes.count / TileGeometry.rows
    for tile in tiles {
      let firstRow = tile * TileGeometry.rows
      let present = min(TileGeometry.rows, source.rows - firstRow)
      if present < TileGeometry.rows {
        unsafe scratch.codes.base.update(repeating: 0, count: scratch.codes.count)
        unsafe scratch.scales.base.update(repeating: 0, count: scratch.scales.count)
        unsafe scratch.offsets.base.update(repeating: 0, count: scratch.offsets.count)
      }
      for row in 0..<present {
        var codes = unsafe MutableSpan(
          _unsafeStart: scratch.codes.base + row * rowCodes, count: rowCodes)
        var scales = unsafe MutableSpan(
          _unsafeStart: scratch.scales.base + row * counts.scales, count: counts.scales)
        var offsets = unsafe MutableSpan(
          _unsafeStart: scratch.offsets.base + row * counts.offsets, count: counts.offsets)
        if packing != nil {
          try source.copy(row: firstRow + row, codes: &codes, scales: &scales, offsets: &offsets)
        } else {
          try source.unpack(row: firstRow + row, codes: &codes, scales: &scales, offsets: &offsets)
        }
      }
      unsafe try pack(
        tile: tile, scratch: scratch,
        into: target + (tile - tiles.lowerBound) * layout.stride)
    }
    let lastRow = min(tiles.upperBound * TileGeometry.rows, source.rows)
    source.release(rows: tiles.lowerBound * TileGeometry.rows..<lastRow)
  }

  private func pack(
    tile: Int, scratch: TileScratch, into target: UnsafeMutableRawPointer
  ) throws {
    guard let bits = format.bits, let group = format.group else {
      return unsafe try pack(scratch.scales, groups: 0..<columns, tile: tile, into: target)
    }
    var chunk = unsafe target
    for first in stride(from: 0, to: columns / group, by: layout.chunkGroups) {
      let groups = first..<min(first + layout.chunkGroups, columns / group)
      unsafe try pack(scratch.scales, groups: groups, tile: tile, into: chunk)
      if format.isAffine {
        unsafe try pack(
          scratch.offsets, groups: groups, tile: tile, into: chunk + layout.offsetsSection)
      }
      unsafe pack(
        scratch.codes, columns: first * group..<(first + groups.count) * group, bits: bits,
        into: chunk + layout.codesSection)
      unsafe chunk += layout.chunkStride
    }
  }

  /// Arranges the codes of some columns.
  private func pack(
    _ codes: Slab<UInt8>, columns: Range<Int>, bits: Int, into target: UnsafeMutableRawPointer
  ) {
    let rows = unsafe UnsafeRawPointer(codes.base)
    let rowBytes = codes.count / TileGeometry.rows
    switch packing {
    case nil:
      unsafe packCodes(
        codes.base + columns.lowerBound, stride: rowBytes, columns: columns.count, bits: bits,
        into: target)
    case .ascending:
      unsafe packAscending(
        rows + columns.lowerBound / 8 * bits, stride: rowBytes, columns: columns.count, bits: bits,
        into: target)
    case .halves:
      unsafe packHalves(
        rows + columns.lowerBound / 2, stride: rowBytes, columns: columns.count, into: target)
    }
  }

  /// Arranges the scales, offsets or elements of some groups.
  private func pack(
    _ values: Slab<UInt8>, groups: Range<Int>, tile: Int, into target: UnsafeMutableRawPointer
  ) throws {
    let rowBytes = values.count / TileGeometry.rows
    let rows = unsafe UnsafeRawPointer(values.base)
    let bad: Int
    switch format {
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
