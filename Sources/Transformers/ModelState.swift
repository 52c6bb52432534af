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

  /// Bytes of keys and values of one position, in all layers.
  package static func bytesPerPosition(_ configuration: ModelConfiguration) -> Int {
    keyValueLayers(configuration).reduce(0) {
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
  package static func keyValueLayers(_ configuration: ModelConfiguration) -> [KeyValueLayers] {
    var counts: [Int?: Int] = [:]
    for layer in configuration.layers {
      switch layer.mixer {
      case .attention(let window): counts[window, default: 0] += 1
      }
    }
    let bytes = KVBlock.byteCount(
      keyValueHeads: configuration.attention.keyValueHeads,
      headDimension: configuration.attention.headDimension)
    return counts.map { KeyValueLayers(count: $0.value, bytesPerBlock: bytes, window: $0.key) }
  }
}
