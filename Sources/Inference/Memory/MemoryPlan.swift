/// What a model takes, for any length of context.
package struct MemoryPlan: Sendable, Hashable {
  /// Layers whose caches are alike.
  package struct KeyValueLayers: Sendable, Hashable {
    /// How many there are.
    package var count: Int
    /// Bytes of one layer's block of positions, keys and values.
    package var bytesPerBlock: Int
    /// Positions kept at most, of layers that see only a window.
    package var longest: Int?
    /// The blocks that have another form until later ones have come, where there are any.
    package var newest: NewestBlocks?

    package init(
      count: Int, bytesPerBlock: Int, longest: Int? = nil, newest: NewestBlocks? = nil
    ) {
      self.count = count
      self.bytesPerBlock = bytesPerBlock
      self.longest = longest
      self.newest = newest
    }

    /// Bytes of one layer's blocks.
    fileprivate func byteCount(positions: Int) -> Int {
      let kept = max(0, min(positions, longest ?? positions))
      let blocks = kept / blockPositions + (kept % blockPositions > 0 ? 1 : 0)
      guard let newest else { return blocks.multiplied(clampingBy: bytesPerBlock) }
      let last = max(0, blocks - newest.alone).multiplied(clampingBy: bytesPerBlock)
      return last.added(
        clamping: min(blocks, newest.most).multiplied(clampingBy: newest.bytesPerBlock))
    }
  }

  /// Blocks that are kept as they came before they are quantised, or beside that.
  package struct NewestBlocks: Sendable, Hashable {
    /// The most of them that a layer has.
    package var most: Int
    /// Of these, so many are not there in the other form.
    package var alone: Int
    package var bytesPerBlock: Int

    package init(most: Int, alone: Int, bytesPerBlock: Int) {
      self.most = most
      self.alone = alone
      self.bytesPerBlock = bytesPerBlock
    }
  }

  /// Positions of a block.
  package static let blockPositions = 64

  /// Everything that the context does not change; `keyValue` is left at 0.
  package var fixed: MemoryNeed
  package var layers: [KeyValueLayers]

  package init(fixed: MemoryNeed, layers: [KeyValueLayers]) {
    self.fixed = fixed
    self.layers = layers
  }

  /// The need with `positions` tokens of prompt and reply together.
  package func need(positions: Int) -> MemoryNeed {
    var need = fixed
    need.keyValue = layers.reduce(0) { sum, group in
      let bytes = group.byteCount(positions: positions)
      return sum.added(clamping: bytes.multiplied(clampingBy: group.count))
    }
    return need
  }

  /// The need once `positions` have been read and snapshots take so many bytes.
  package func need(positions: Int, snapshots: Int) -> MemoryNeed {
    var need = need(positions: positions)
    need.snapshots = snapshots
    return need
  }
}
