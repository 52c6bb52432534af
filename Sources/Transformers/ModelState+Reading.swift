package import Kernels

extension ModelState {
  /// Bytes of keys and values that decoding the token at `position` reads, in all layers.
  ///
  /// What a query attends to: positions up to its own, and of a window the last; of a quantised type
  /// the blocks near the query in float16 (see `KVBlocks`).
  package static func keyValueBytesRead(
    _ configuration: ModelConfiguration, type: KVType, at position: Int
  ) -> Int {
    keyValueLayers(configuration, type: type).reduce(0) { sum, layers in
      let end = position + 1
      let first = max(0, end - min(layers.window ?? end, end))
      let firstStored =
        type.isQuantised
        ? max(
          first, (position / KVBlock.positions - KVBlocks.quantisedDistance + 1) * KVBlock.positions
        )
        : first
      let bytes =
        (firstStored - first) * layers.bytesPerBlock
        + (end - firstStored) * layers.storedBytesPerBlock
      return sum + layers.count * bytes / KVBlock.positions
    }
  }
}
