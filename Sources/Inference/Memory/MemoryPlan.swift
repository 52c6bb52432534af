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

    package init(count: Int, bytesPerBlock: Int, longest: Int? = nil) {
      self.count = count
      self.bytesPerBlock = bytesPerBlock
      self.longest = longest
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
      let kept = max(0, min(positions, group.longest ?? positions))
      let blocks = kept / Self.blockPositions + (kept % Self.blockPositions > 0 ? 1 : 0)
      let bytes = blocks.multiplied(clampingBy: group.bytesPerBlock)
      return sum.added(clamping: bytes.multiplied(clampingBy: group.count))
    }
    return need
  }

  /// The peak once `positions` have been read and snapshots take so many bytes.
  package func peak(positions: Int, snapshots: Int) -> Int {
    var need = need(positions: positions)
    need.snapshots = snapshots
    return need.total
  }
}
