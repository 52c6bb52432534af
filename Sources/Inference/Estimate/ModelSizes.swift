import Kernels
import Transformers

/// The sizes of a model that nobody has the files of, all of them positive.
package struct ModelSizes: Sendable, Hashable {
  package var hidden: Int
  package var vocabulary: Int
  /// The most tokens that the model was made for.
  package var contextLength: Int
  package var heads: Int
  package var keyValueHeads: Int
  package var headDimension: Int
  /// Inner elements of the largest feed-forward, an expert's where there are any.
  package var feedForward: Int
  /// Layers that keep keys and values of all positions.
  package var fullLayers: Int
  /// Layers that keep them of the nearest positions only, and of how many.
  package var windowedLayers = 0
  package var window = 1
  package var deltaNet: DeltaNet?
  package var experts: Experts?
  package var parameterCount: Int
  /// Bytes of the weights in their files.
  package var byteCount: Int

  /// Layers of the gated delta rule.
  package struct DeltaNet: Sendable, Hashable {
    package var layers: Int
    package var keyHeads: Int
    package var valueHeads: Int
    package var keyDimension: Int
    package var valueDimension: Int

    package init(
      layers: Int, keyHeads: Int, valueHeads: Int, keyDimension: Int, valueDimension: Int
    ) {
      self.layers = layers
      self.keyHeads = keyHeads
      self.valueHeads = valueHeads
      self.keyDimension = keyDimension
      self.valueDimension = valueDimension
    }
  }

  package struct Experts: Sendable, Hashable {
    package var count: Int
    /// Experts that a token visits.
    package var active: Int
    package var sharedSize: Int?

    package init(count: Int, active: Int, sharedSize: Int?) {
      self.count = count
      self.active = active
      self.sharedSize = sharedSize
    }
  }

  package init(
    hidden: Int, vocabulary: Int, contextLength: Int, heads: Int, keyValueHeads: Int,
    headDimension: Int, feedForward: Int, fullLayers: Int, parameterCount: Int, byteCount: Int
  ) {
    self.hidden = hidden
    self.vocabulary = vocabulary
    self.contextLength = contextLength
    self.heads = heads
    self.keyValueHeads = keyValueHeads
    self.headDimension = headDimension
    self.feedForward = feedForward
    self.fullLayers = fullLayers
    self.parameterCount = parameterCount
    self.byteCount = byteCount
  }

  var totals: MatrixTotals {
    MatrixTotals(byteCount: byteCount, parameterCount: parameterCount)
  }

  var configuration: ModelConfiguration {
    let inner: LayerConfiguration.FeedForward =
      if let experts {
        .experts(
          ExpertShape(
            count: experts.count, active: experts.active, size: feedForward,
            sharedSize: experts.sharedSize, isNormalised: true))
      } else {
        .dense(feedForward)
      }
    func layers(_ mixer: LayerConfiguration.Mixer, _ count: Int) -> [LayerConfiguration] {
      Array(repeating: LayerConfiguration(mixer: mixer, feedForward: inner), count: count)
    }
    return ModelConfiguration(
      hidden: hidden, vocabulary: vocabulary, context: contextLength, heads: heads,
      keyValueHeads: keyValueHeads, headDimension: headDimension,
      layers: layers(.attention(window: nil), fullLayers)
        + layers(.attention(window: window), windowedLayers)
        + layers(.deltaNet, deltaNet?.layers ?? 0),
      deltaNet: deltaNet.map {
        DeltaNetShape(
          keyHeads: $0.keyHeads, valueHeads: $0.valueHeads, keyDimension: $0.keyDimension,
          valueDimension: $0.valueDimension, headOrder: .grouped)
      })
  }
}
