extension KVBlocks {
  /// The most bytes that so many positions take, read in chunks of up to `chunk`.
  package static func byteCount(
    positions: Int, chunk: Int, keyValueHeads: Int, headDimension: Int, type: KVType
  ) -> Int {
    let size = KVBlock.positions
    let blocks = (positions + size - 1) / size
    let bytes = { (type: KVType) in
      KVBlock.byteCount(keyValueHeads: keyValueHeads, headDimension: headDimension, type: type)
    }
    guard type.isQuantised else { return blocks * bytes(type) }
    return min(blocks, mostStoredBlocks(chunk: chunk)) * bytes(type.stored)
      + max(0, blocks - quantisedDistance) * bytes(type)
  }

  /// The most blocks of a quantised type that are there in float16 at once: those of the chunk, of
  /// which the first and the last may be cut, and those before it.
  package static func mostStoredBlocks(chunk: Int) -> Int {
    (chunk + KVBlock.positions - 1) / KVBlock.positions + 1 + quantisedDistance
  }
}
