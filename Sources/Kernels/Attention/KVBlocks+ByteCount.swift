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
    // Those of the chunk, of which the first and the last may be cut, and those before it.
    let stored = (chunk + size - 1) / size + 1 + quantisedDistance
    return min(blocks, stored) * bytes(type.stored)
      + max(0, blocks - quantisedDistance) * bytes(type)
  }
}
