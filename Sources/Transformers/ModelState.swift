package import Kernels

/// What a model remembers of the tokens it has read: keys and values of the attention layers.
///
/// A value: copying it is a snapshot, and blocks of keys and values are shared until one of the
/// copies writes to them.
package struct ModelState: Sendable {
  /// How many tokens have been read.
  package private(set) var position = 0

  /// Positions the state may grow to.
  package let context: Int

  var layers: [LayerState]

  enum LayerState: Sendable {
    case attention(KVBlocks)
    /// Cannot be rewound, only copied; shared with snapshots until it is written.
    case deltaNet(DeltaNetState)

    /// Makes the positions writable: there, and shared with no copy.
    mutating func prepareToWrite(_ positions: Range<Int>) {
      switch self {
      case .attention(var blocks):
        // Without this, the blocks would be referenced twice and copied needlessly.
        self = .empty
        blocks.prepareToWrite(positions)
        self = .attention(blocks)
      case .deltaNet(var memory):
        self = .empty
        if !isKnownUniquelyReferenced(&memory) { memory = memory.copy() }
        self = .deltaNet(memory)
      case .empty: break
      }
    }

    mutating func truncate(to position: Int) {
      guard case .attention(var blocks) = self else { return }
      self = .empty
      blocks.truncate(to: position)
      self = .attention(blocks)
    }

    /// Held for a moment while a layer's state is being changed.
    case empty
  }

  /// An empty state, whose keys and values are kept in `type`.
  package init(_ configuration: ModelConfiguration, context: Int, type: KVType) {
    self.context = context
    layers = configuration.layers.map { layer in
      switch (layer.mixer, configuration.deltaNet) {
      case (.deltaNet, let shape?):
        .deltaNet(DeltaNetState(shape))
      default:
        .attention(
          KVBlocks(
            keyValueHeads: configuration.attention.keyValueHeads,
            headDimension: configuration.attention.headDimension, type: type))
      }
    }
    isRewindable = configuration.deltaNet == nil
  }

  /// Whether the state can go back to any earlier position; a delta net's can only be replaced by a
  /// copy made there.
  package let isRewindable: Bool

  /// Forgets all but the first `count` positions.
  ///
  /// The state must be rewindable, or `count` the present position.
  package mutating func truncate(to count: Int) {
    precondition(count >= 0 && count <= position)
    precondition(isRewindable || count == position)
    for index in layers.indices { layers[index].truncate(to: count) }
    position = count
  }

  /// Makes room for `count` more positions in every layer.
  mutating func reserve(_ count: Int) throws {
    guard position + count <= context else {
      throw ModelError.contextExceeded(needed: position + count, context: context)
    }
    for index in layers.indices {
      layers[index].prepareToWrite(position..<position + count)
    }
  }

  /// Takes back what a failed pass did, as far as that can be; the state is empty otherwise.
  mutating func discard(after position: Int) {
    self.position = isRewindable ? position : 0
    for index in layers.indices {
      if case .deltaNet(let memory) = layers[index] {
        layers[index] = .deltaNet(DeltaNetState(memory.shape))
      } else {
        layers[index].truncate(to: self.position)
      }
    }
  }

  mutating func advance(_ count: Int) {
    position += count
  }

  /// Bytes of the delta nets' memory, whatever the position.
  package static func recurrentByteCount(_ configuration: ModelConfiguration) -> Int {
    guard let shape = configuration.deltaNet else { return 0 }
    return configuration.layers.reduce(0) { sum, layer in
      guard case .deltaNet = layer.mixer else { return sum }
      return sum + DeltaNetState.byteCount(shape)
    }
  }

  /// Bytes of keys and values of one position, in all layers.
  package static func bytesPerPosition(
    _ configuration: ModelConfiguration, type: KVType
  ) -> Int {
    keyValueLayers(configuration, type: type).reduce(0) {
      $0 + $1.count * $1.bytesPerBlock / KVBlock.positions
    }
  }

  /// Attention layers that keep alike keys and values.
  package struct KeyValueLayers: Sendable, Hashable {
    package let count: Int
    package let bytesPerBlock: Int
    /// Positions that are kept at most.
    package let window: Int?
  }

  /// The layers that keep keys and values, by kind.
  package static func keyValueLayers(
    _ configuration: ModelConfiguration, type: KVType
  ) -> [KeyValueLayers] {
    var counts: [Int?: Int] = [:]
    for layer in configuration.layers {
      switch layer.mixer {
      case .attention(let window): counts[window, default: 0] += 1
      case .deltaNet: break
      }
    }
    let bytes = KVBlock.byteCount(
      keyValueHeads: configuration.attention.keyValueHeads,
      headDimension: configuration.attention.headDimension, type: type)
    return counts.map { KeyValueLayers(count: $0.value, bytesPerBlock: bytes, window: $0.key) }
  }
}
