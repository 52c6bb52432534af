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

  /// The window of each layer; nil where a query sees all positions before its own.
  let windows: [Int?]

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

    /// Frees what no query from `position` on reads: what a window has passed, and the float16 forms
    /// of what has been quantised.
    mutating func free(before position: Int, window: Int?) {
      guard case .attention(var blocks) = self else { return }
      self = .empty
      if let window { blocks.dropBlocks(before: position + 1 - window) }
      blocks.freeStoredBlocks(before: position)
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
    windows = configuration.layers.map { layer in
      if case .attention(let window) = layer.mixer { window } else { nil }
    }
    keepsEveryPass = configuration.deltaNet == nil
    isRewindable = keepsEveryPass && windows.allSatisfy { $0 == nil } && !type.isQuantised
  }

  /// Whether the state can go back to any earlier position.
  ///
  /// A delta net's memory can only be replaced by a copy made there; a window has let go of what
  /// earlier queries saw, and blocks that were quantised are read otherwise than before.
  package let isRewindable: Bool

  /// Whether what one pass did can be taken back.
  let keepsEveryPass: Bool

  /// Whether `truncate(to:)` may be called.
  package func canTruncate(to count: Int) -> Bool {
    guard count > 0, count < position else { return count == 0 || count == position }
    return zip(layers, windows).allSatisfy { layer, window in
      guard case .attention(let blocks) = layer else { return false }
      return blocks.canTruncate(to: count, window: window)
    }
  }

  /// Forgets all but the first `count` positions, which must be possible: see `canTruncate`.
  package mutating func truncate(to count: Int) {
    precondition(canTruncate(to: count), "\(count) of \(position)")
    guard count != position else { return }
    position = count
    for index in layers.indices {
      if case .deltaNet(let memory) = layers[index] {
        layers[index] = .deltaNet(DeltaNetState(memory.shape))
      } else {
        layers[index].truncate(to: count)
      }
    }
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
    self.position = keepsEveryPass ? position : 0
    for index in layers.indices {
      if case .deltaNet(let memory) = layers[index] {
        layers[index] = .deltaNet(DeltaNetState(memory.shape))
      } else {
        layers[index].truncate(to: self.position)
      }
    }
  }

  /// Takes `position` for the one at which layers that were restored stand; false if a query could
  /// not go on from there.
  mutating func resume(at position: Int) -> Bool {
    self.position = position
    return zip(layers, windows).allSatisfy { layer, window in
      guard case .attention(let blocks) = layer else { return true }
      return position == 0 || blocks.canTruncate(to: position, window: window)
    }
  }

  /// Counts the positions that a pass has filled, and frees what no later query sees.
  mutating func advance(_ count: Int) {
    position += count
    for (index, window) in windows.enumerated() {
      layers[index].free(before: position, window: window)
    }
  }

  /// Bytes of the delta nets' memory, whatever the position.
  package static func recurrentByteCount(_ configuration: ModelConfiguration) -> Int {
    guard let shape = configuration.deltaNet else { return 0 }
    return configuration.layers.reduce(0) { sum, layer in
      guard case .deltaNet = layer.mixer else { return sum }
      return sum + DeltaNetState.byteCount(shape)
    }
  }

  /// Bytes of a snapshot that neither other snapshots nor a state that went on from it share; 0 of
  /// a model whose states can go back without.
  package static func snapshotByteCount(
    _ configuration: ModelConfiguration, type: KVType
  ) -> Int {
    let layers = keyValueLayers(configuration, type: type)
    let isRewindable =
      configuration.deltaNet == nil && layers.allSatisfy { $0.window == nil } && !type.isQuantised
    if isRewindable { return 0 }
    return layers.reduce(recurrentByteCount(configuration)) { sum, layers in
      // Of a window all its blocks, of which the first and the last may be cut; else the last one.
      let blocks = layers.window.map { $0 / KVBlock.positions + 2 } ?? 1
      // Those that a query reads in float16 are quantised, or let go of, by a state that goes on.
      let stored =
        type.isQuantised
        ? min(layers.window == nil ? .max : blocks, KVBlocks.mostStoredBlocks(chunk: 1)) : 0
      return sum + layers.count
        * (layers.bytesPerBlock * blocks + layers.storedBytesPerBlock * stored)
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
    /// Bytes of a block that is not quantised yet.
    package let storedBytesPerBlock: Int
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
    func bytes(_ type: KVType) -> Int {
      KVBlock.byteCount(
        keyValueHeads: configuration.attention.keyValueHeads,
        headDimension: configuration.attention.headDimension, type: type)
    }
    return counts.map {
      KeyValueLayers(
        count: $0.value, bytesPerBlock: bytes(type), storedBytesPerBlock: bytes(type.stored),
        window: $0.key)
    }
  }
}
