import Kernels

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

    /// Makes the positions writable: there, and shared with no copy.
    mutating func prepareToWrite(_ positions: Range<Int>) {
      switch self {
      case .attention(var blocks):
        // Without this, the blocks would be referenced twice and copied needlessly.
        self = .empty
        blocks.prepareToWrite(positions)
        self = .attention(blocks)
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

  /// An empty state.
  package init(_ configuration: ModelConfiguration, context: Int) {
    self.context = context
    layers = configuration.layers.map { layer in
      switch layer.mixer {
      case .attention:
        .attention(
          KVBlocks(
            keyValueHeads: configuration.attention.keyValueHeads,
            headDimension: configuration.attention.headDimension))
      }
    }
  }

  /// Forgets all but the first `count` positions.
  package mutating func truncate(to count: Int) {
    precondition(count >= 0 && count <= position)
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

  /// Takes back what `reserve` did.
  mutating func discard(after position: Int) {
    for index in layers.indices { layers[index].truncate(to: position) }
  }

  mutating func advance(_ count: Int) {
    position += count
  }

  /// Bytes that one more position takes, averaged over a block.
  package static func bytesPerPosition(_ configuration: ModelConfiguration) -> Int {
    configuration.layers.reduce(0) { sum, layer in
      switch layer.mixer {
      case .attention:
        sum + blockByteCount(configuration) / KVBlock.positions
      }
    }
  }

  /// Bytes that the keys and values of `positions` take.
  package static func byteCount(_ configuration: ModelConfiguration, positions: Int) -> Int {
    let blocks = (positions + KVBlock.positions - 1) / KVBlock.positions
    return blocks * configuration.layers.count * blockByteCount(configuration)
  }

  private static func blockByteCount(_ configuration: ModelConfiguration) -> Int {
    KVBlock.byteCount(
      keyValueHeads: configuration.attention.keyValueHeads,
      headDimension: configuration.attention.headDimension)
  }
}
