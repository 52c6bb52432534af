import Glibc
import Synchronization

/// Prepares matrices one after another into a window of memory, whose blocks go to a sink as they
/// fill.
///
/// So a model's tiles get into a file without ever being in memory all at once. The window has two
/// halves: while one fills, the blocks of the other are written. A file system lets one thread at a time
/// write to a file, so writing by itself would leave the others idle.
package final class TileStream {
  /// Bytes that are written and summed up together: those of a huge page, which a file system that
  /// knows such pages then keeps the block in.
  package static let blockByteCount = 2 << 20

  /// Bytes of the window.
  package static let windowByteCount = 16 * blockByteCount

  private static let halfByteCount = windowByteCount / 2

  private let compute: Compute
  private let sink: any TileSink
  /// The half that fills.
  private var half: TileMemory
  private var otherHalf: TileMemory
  /// Bytes of the half that are filled.
  private var used = 0
  /// Where in the file the half begins; a multiple of the block.
  private var start = 0
  /// What of the other half is to be written.
  private var waiting: BlockWork?
  private var checksums: [UInt64] = []

  /// - Throws: ``TileSinkFailure/noWindow``.
  package init(compute: Compute, sink: any TileSink) throws(TileSinkFailure) {
    guard let half = TileMemory(byteCount: Self.halfByteCount),
      let otherHalf = TileMemory(byteCount: Self.halfByteCount)
    else { throw .noWindow }
    self.compute = compute
    self.sink = sink
    self.half = half
    self.otherHalf = otherHalf
  }

  /// Prepares a matrix and puts it after the last one, at the next multiple of 64 bytes.
  ///
  /// - Throws: what ``PreparedMatrix/prepare(_:compute:)`` throws; ``TileSinkFailure`` of the sink.
  package func append(_ source: any RowSource) throws {
    let layout = try TileLayout(source)
    guard layout.stride <= Self.halfByteCount - Self.blockByteCount else {
      throw TileSinkFailure.tooWide(layout.stride)
    }
    let work = Preparation(source: source, layout: layout, threads: compute.pool.threads)
    var tile = 0
    while tile < layout.tiles {
      let fitting = min(layout.tiles - tile, (Self.halfByteCount - used) / layout.stride)
      guard fitting > 0 else {
        try turn()
        continue
      }
      // Writing keeps pace with preparing, so that neither is left to itself at the end.
      let blocks = waiting?.removeFirst(1 + fitting * layout.stride / Self.blockByteCount)
      try unsafe work.run(
        tile..<tile + fitting, into: half.base + used, beside: blocks, pool: compute.pool)
      if compute.isCancelled { return }
      if let blocks { try record(blocks) }
      used += fitting * layout.stride
      tile += fitting
    }
    pad()
  }

  /// Writes what is left.
  ///
  /// - Returns: the checksums of all blocks.
  /// - Throws: ``TileSinkFailure``.
  package func finish() throws -> [UInt64] {
    try writeWaiting()
    let blocks = (used + Self.blockByteCount - 1) / Self.blockByteCount
    waiting = BlockWork(
      window: half, used: used, start: start, blocks: 0..<blocks, sink: sink)
    try writeWaiting()
    return checksums
  }

  private func pad() {
    let bytes = -used & 63
    // The half is a multiple of 64.
    unsafe (half.base + used).initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    used += bytes
  }

  /// Leaves the blocks that are whole to be written, and goes on behind the rest in the other half.
  private func turn() throws {
    try writeWaiting()
    let blocks = used / Self.blockByteCount
    let whole = blocks * Self.blockByteCount
    waiting = BlockWork(
      window: half, used: used, start: start, blocks: 0..<blocks, sink: sink)
    unsafe memcpy(otherHalf.base, half.base + whole, used - whole)
    swap(&half, &otherHalf)
    start += whole
    used -= whole
  }

  private func writeWaiting() throws {
    guard let blocks = waiting else { return }
    waiting = nil
    compute.pool.run(blocks.blocks.count, blocks)
    try record(blocks)
  }

  private func record(_ blocks: BlockWork) throws {
    if let error = blocks.results.failure { throw TileSinkFailure.sink(error) }
    checksums += blocks.results.checksums
  }
}

/// Why tiles did not get where they were to be put; nothing is wrong with the model.
package enum TileSinkFailure: Error {
  /// A tile of so many bytes does not fit into the window.
  case tooWide(Int)
  /// There is no memory for the window.
  case noWindow
  /// The sink's own error.
  case sink(any Error)
}

/// Summing up and writing some blocks of a window.
struct BlockWork: ParallelWork {
  let window: TileMemory
  /// Bytes of the window that are filled.
  let used: Int
  /// Where in the file the window begins.
  let start: Int
  private(set) var blocks: Range<Int>
  let sink: any TileSink
  let results: BlockResults

  init(window: TileMemory, used: Int, start: Int, blocks: Range<Int>, sink: any TileSink) {
    self.window = window
    self.used = used
    self.start = start
    self.blocks = blocks
    self.sink = sink
    results = BlockResults(blocks: blocks.count)
  }

  /// Parts with so many blocks, or with all there are.
  mutating func removeFirst(_ count: Int) -> BlockWork {
    let middle = min(blocks.lowerBound + count, blocks.upperBound)
    let first = BlockWork(
      window: window, used: used, start: start, blocks: blocks.lowerBound..<middle, sink: sink)
    self = BlockWork(
      window: window, used: used, start: start, blocks: middle..<blocks.upperBound, sink: sink)
    return first
  }

  func perform(_ items: Range<Int>, worker: Int) {
    for item in items where results.failure == nil {
      let block = blocks.lowerBound + item
      do {
        let checksum = try window.withBlock(block, of: used) { bytes in
          try sink.write(bytes, at: start + block * TileStream.blockByteCount)
          return Checksum.of(bytes)
        }
        results.record(item, checksum: checksum)
      } catch {
        results.record(error)
      }
    }
  }
}

/// What became of blocks that several threads have at hand.
final class BlockResults: Sendable {
  private let state: Mutex<(checksums: [UInt64], failure: (any Error)?)>

  init(blocks: Int) {
    state = Mutex((Array(repeating: 0, count: blocks), nil))
  }

  var checksums: [UInt64] { state.withLock { $0.checksums } }
  var failure: (any Error)? { state.withLock { $0.failure } }

  func record(_ block: Int, checksum: UInt64) {
    state.withLock { $0.checksums[block] = checksum }
  }

  func record(_ error: any Error) {
    state.withLock { $0.failure = $0.failure ?? error }
  }
}

extension TileMemory {
  /// Calls `body` with a block of ``TileStream/blockByteCount``, or the rest of the first `count` bytes.
  func withBlock<Result, Failure: Error>(
    _ index: Int, of count: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let first = index * TileStream.blockByteCount
    precondition(first >= 0 && first <= count && count <= byteCount)
    let bytes = unsafe Span<UInt8>(
      _unsafeStart: base.assumingMemoryBound(to: UInt8.self) + first,
      count: min(TileStream.blockByteCount, count - first))
    return try body(bytes)
  }
}

extension Checksum {
  static func of(_ bytes: Span<UInt8>) -> UInt64 {
    var checksum = Checksum()
    checksum.update(bytes)
    return checksum.value
  }
}
