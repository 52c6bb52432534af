extension AttentionScratch {
  /// Bytes that a scratch for such layers takes at most.
  package static func byteCount(
    shapes: [AttentionShape], context: Int, threads: Int
  ) -> Int {
    let rows = max(tileRows, shapes.map(\.headsPerKeyValueHead).max() ?? 1)
    let dimension = KVBlock.paddedDimension(shapes.map(\.headDimension).max() ?? 1)
    let result = AttentionResult.count(rows: rows, headDimension: dimension)
    let tiles = max(threads * 3, shapes.map(\.keyValueHeads).max() ?? 1)
    let floats =
      threads
      * (rows * KVBlock.positions + 2 * result + foldedCount(rows, dimension)
        + widenedCount(dimension)) + tiles * result
      + max(tiles * result, 1 << 20)
    return floats * MemoryLayout<Float>.stride
      + (context / KVBlock.positions + 2) * 2 * MemoryLayout<Int>.stride
  }
}
