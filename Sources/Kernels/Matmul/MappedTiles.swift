/// Tiles in a file as ``TileStream`` writes them, mapped.
package struct MappedTiles: Sendable {
  private let memory: TileMemory

  /// The first bytes of a file; nil if they cannot be mapped.
  ///
  /// The file must have so many, and nobody may shorten it.
  package init?(file descriptor: Int32, byteCount: Int) {
    guard let memory = TileMemory(file: descriptor, byteCount: byteCount) else { return nil }
    self.memory = memory
  }

  package var byteCount: Int { memory.byteCount }

  /// Bytes that are in memory already, read by this process or another.
  package var residentByteCount: Int { memory.residentByteCount }

  /// Maps all pages, so that what is resident is what was estimated and no token waits for them.
  package func populate() { memory.populate() }

  /// The checksum of each block, read on all threads.
  package func checksums(compute: Compute) -> [UInt64] {
    let block = TileStream.blockByteCount
    let blocks = (memory.byteCount + block - 1) / block
    let results = BlockResults(blocks: blocks)
    compute.pool.run(blocks, Sums(memory: memory, results: results))
    return results.checksums
  }

  /// The matrices of these sources, in the order in which they were appended.
  ///
  /// - Throws: ``MatrixError`` for a format or shape that is not supported.
  package func matrices(_ sources: [any RowSource]) throws -> [PreparedMatrix] {
    var offset = 0
    return try sources.map { source in
      let layout = try TileLayout(source)
      defer { offset += Self.aligned(layout.byteCount) }
      precondition(offset + layout.byteCount <= memory.byteCount)
      return PreparedMatrix(source, layout: layout, memory: memory, offset: offset)
    }
  }

  /// Bytes of the file of these sources.
  ///
  /// - Throws: ``MatrixError`` for a format or shape that is not supported.
  package static func byteCount(_ sources: [any RowSource]) throws -> Int {
    try sources.reduce(0) { try $0 + aligned(TileLayout($1).byteCount) }
  }

  private static func aligned(_ bytes: Int) -> Int { (bytes + 63) & ~63 }

  private struct Sums: ParallelWork {
    let memory: TileMemory
    let results: BlockResults

    func perform(_ items: Range<Int>, worker: Int) {
      for item in items {
        let checksum = memory.withBlock(item, of: memory.byteCount) { Checksum.of($0) }
        results.record(item, checksum: checksum)
      }
    }
  }
}
