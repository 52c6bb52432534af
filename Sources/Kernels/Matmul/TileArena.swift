import Synchronization

/// Where matrices get memory for their tiles.
///
/// Most matrices of a small model are smaller than a huge page, so they share chunks. A chunk goes
/// when the last of its matrices does.
final class TileArena: Sendable {
  private struct Chunk {
    weak var memory: TileMemory?
    var used = 0
  }

  private static let chunkBytes = 32 << 20
  private let open = Mutex(Chunk())

  /// Zeroed bytes at a multiple of 64; nil if there is no memory.
  func allocate(byteCount: Int) -> (memory: TileMemory, offset: Int)? {
    guard byteCount <= Self.chunkBytes / 4 else {
      return TileMemory(byteCount: byteCount).map { ($0, 0) }
    }
    return open.withLock { chunk in
      if let memory = chunk.memory, memory.byteCount - chunk.used >= byteCount {
        let offset = chunk.used
        chunk.used += (byteCount + 63) & ~63
        return (memory, offset)
      }
      guard let memory = TileMemory(byteCount: Self.chunkBytes) else { return nil }
      chunk = Chunk(memory: memory, used: (byteCount + 63) & ~63)
      return (memory, 0)
    }
  }
}
