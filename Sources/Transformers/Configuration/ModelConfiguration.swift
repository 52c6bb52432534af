package import Kernels

/// The numbers of one model.
package struct ModelConfiguration: Sendable {
  package var hiddenSize: Int
  package var vocabularySize: Int
  /// Positions the model was trained for.
  package var contextLength: Int
  package var normEpsilon: Float
  package var attention: AttentionConfiguration
  package var rope: RopeConfiguration
  /// The rotation of windowed layers, where it is another.
  package var localRope: RopeConfiguration?
  package var deltaNet: DeltaNetShape?
  /// One entry a layer.
  package var layers: [LayerConfiguration]
}

/// Sizes of the attention layers.
package struct AttentionConfiguration: Sendable {
  package var heads: Int
  package var keyValueHeads: Int
  package var headDimension: Int
  /// What scores are multiplied by.
  package var scale: Float
}

/// Sizes that may differ from layer to layer.
package struct LayerConfiguration: Sendable {
  package var mixer: Mixer
  package var feedForward: FeedForward

  package init(mixer: Mixer, feedForward: FeedForward) {
    self.mixer = mixer
    self.feedForward = feedForward
  }

  /// What follows the mixer.
  package enum FeedForward: Sendable, Hashable {
    /// One gated feed-forward of so many inner elements.
    case dense(Int)
    case experts(ExpertShape)

    /// The largest number of inner elements of one matrix.
    var largest: Int {
      switch self {
      case .dense(let size): size
      case .experts(let shape): max(shape.size, shape.sharedSize ?? 0)
      }
    }
  }

  /// What mixes positions in a layer.
  package enum Mixer: Sendable {
    /// Softmax attention; a window is the number of keys a query sees, itself included.
    case attention(window: Int?)
    /// The gated delta rule.
    case deltaNet
  }
}
