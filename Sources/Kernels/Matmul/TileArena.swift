import Synchronization

/// Where matrices get memory for their tiles.
///
/// Most matrices of a small model are smaller than a huge page, so they share chunks, or one that was
/// reserved for all of them. A chunk goes when the last of its matrices does.
final class TileArena: Sendable {
  private struct Chunk {
    weak var memory: TileMemory?
    var used = 0
  }

  private static let chunkBytes = 32 << 20
  private let open = Mutex(Chunk())

  /// Makes room for so many matrices of so many bytes in all, from which they are allocated as long as
  /// the object that is returned lives; nil if there is no memory.
  ///
  /// Of a huge page that is begun all is resident: chunks of 32 MB, of which a matrix that did not fit
  /// left a part, took up to 8 MB more for a model of 100 MB, and not the same at each load.
  func reserve(byteCount: Int, matrices: Int) -> TileMemory? {
    guard let memory = TileMemory(byteCount: byteCount + matrices * 63) else { return nil }
    open.withLock { $0 = Chunk(memory: memory, used: 0) }
    return memory
  }

  /// Zeroed bytes at a multiple of 64; nil if there is no memory.
  func allocate(byteCount: Int) -> (memory: TileMemory, offset: Int)? {
    let shared: (TileMemory, Int)? = open.withLock { chunk in
      guard let memory = chunk.memory, memory.byteCount - chunk.used >= byteCount else {
        return nil
      }
      let offset = chunk.used
      chunk.used += (byteCount + 63) & ~63
      return (memory, offset)
    }
    if let shared { return shared }
    guard byteCount <= Self.chunkBytes / 4 else {
      return TileMemory(byteCount: byteCount).map { ($0, 0) }
    }
    return open.withLock { chunk in
      guard let memory = TileMemory(byteCount: Self.chunkBytes) else { return nil }
      chunk = Chunk(memory: memory, used: (byteCount + 63) & ~63)
      return (memory, 0)
    }
  }
}
