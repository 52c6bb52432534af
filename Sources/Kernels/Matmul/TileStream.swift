import Glibc
import Synchronization

/// Prepares matrices one after another into a window of memory, whose blocks go to a sink as they
/// fill.
///
/// So a model's tiles get into a file without ever being in memory all at once.
package final class TileStream {
  /// Bytes that are written and summed up together: those of a huge page, which a file system that
  /// knows such pages then keeps the block in.
  package static let blockByteCount = 2 << 20

  /// Bytes of the window.
  package static let windowByteCount = 16 * blockByteCount

  private let compute: Compute
  private let sink: any TileSink
  private let window: TileMemory
  /// Bytes of the window that wait to be written.
  private var used = 0
  /// Where in the file the window begins; a multiple of the block.
  private var start = 0
  private var checksums: [UInt64] = []

  /// - Throws: ``TileSinkFailure/noWindow``.
  package init(compute: Compute, sink: any TileSink) throws(TileSinkFailure) {
    guard let window = TileMemory(byteCount: Self.windowByteCount) else { throw .noWindow }
    self.compute = compute
    self.sink = sink
    self.window = window
  }

  /// Prepares a matrix and puts it after the last one, at the next multiple of 64 bytes.
  ///
  /// - Throws: what ``PreparedMatrix/prepare(_:compute:)`` throws; ``TileSinkFailure`` of the sink.
  package func append(_ source: any RowSource) throws {
    let layout = try TileLayout(source)
    guard layout.stride <= Self.windowByteCount - Self.blockByteCount else {
      throw TileSinkFailure.tooWide(layout.stride)
    }
    let work = Preparation(source: source, layout: layout, threads: compute.pool.threads)
    var tile = 0
    while tile < layout.tiles {
      let fitting = min(layout.tiles - tile, (Self.windowByteCount - used) / layout.stride)
      guard fitting > 0 else {
        try flush()
        continue
      }
      try unsafe work.run(tile..<tile + fitting, into: window.base + used, pool: compute.pool)
      if compute.isCancelled { return }
      used += fitting * layout.stride
      tile += fitting
    }
    try pad()
  }

  /// Writes what is left.
  ///
  /// - Returns: the checksums of all blocks.
  /// - Throws: ``TileSinkFailure``.
  package func finish() throws -> [UInt64] {
    try flush()
    if used > 0 { try write(blocks: 1) }
    return checksums
  }

  private func pad() throws {
    let bytes = -used & 63
    // The window is a multiple of 64.
    unsafe (window.base + used).initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    used += bytes
  }

  /// Writes the blocks that are whole and moves the rest to the window's beginning.
  private func flush() throws {
    let blocks = used / Self.blockByteCount
    guard blocks > 0 else { return }
    let whole = blocks * Self.blockByteCount
    let rest = used - whole
    try write(blocks: blocks)
    unsafe memmove(window.base, window.base + whole, rest)
    start += whole
    used = rest
  }

  private func write(blocks: Int) throws {
    let work = BlockWork(window: window, used: used, start: start, blocks: blocks, sink: sink)
    compute.pool.run(blocks, work)
    if let error = work.results.failure { throw TileSinkFailure.sink(error) }
    checksums += work.results.checksums
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
private struct BlockWork: ParallelWork {
  let window: TileMemory
  let used: Int
  let start: Int
  let sink: any TileSink
  let results: BlockResults

  init(window: TileMemory, used: Int, start: Int, blocks: Int, sink: any TileSink) {
    self.window = window
    self.used = used
    self.start = start
    self.sink = sink
    results = BlockResults(blocks: blocks)
  }

  func perform(_ items: Range<Int>, worker: Int) {
    for item in items where results.failure == nil {
      do {
        let checksum = try window.withBlock(item, of: used) { bytes in
          try sink.write(bytes, at: start + item * TileStream.blockByteCount)
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
