import Inference

/// The numbers of a model that an estimate of its memory takes.
package struct ModelShape: Sendable, Hashable {
  /// The family, as `model_type` in config.json.
  package var architecture: String
  package var layers: Int
  /// Layers with keys and values for the whole context.
  package var fullAttentionLayers: Int
  package var hidden: Int
  /// Inner elements of a dense feed-forward; 0 where all are experts.
  package var feedForward: Int
  package var heads: Int
  package var keyValueHeads: Int
  package var headDimension: Int
  package var vocabulary: Int
  /// Whether one matrix serves as embedding and output.
  package var isTied: Bool
  package var window: Window?
  package var deltaNet: DeltaNet?
  package var experts: Experts?

  /// Layers that see only the nearest keys.
  package struct Window: Sendable, Hashable {
    /// Keys, the query's own included.
    package var size: Int
    package var layers: Int
  }

  /// Layers of the gated delta rule.
  package struct DeltaNet: Sendable, Hashable {
    package var layers: Int
    package var keyHeads: Int
    package var valueHeads: Int
    package var keyDimension: Int
    package var valueDimension: Int
  }

  package struct Experts: Sendable, Hashable {
    package var count: Int
    /// Experts that a token visits.
    package var active: Int
    /// Inner elements of one.
    package var size: Int
    /// Inner elements of the one that all tokens visit.
    package var sharedSize: Int?
  }
}

extension ModelShape {
  /// Parameters in matrices, the embedding included; vectors are left out.
  package var parameterCount: Int {
    let queries = heads.multiplied(clampingBy: headDimension)
    let keys = keyValueHeads.multiplied(clampingBy: headDimension)
    // Gated attention has a gate as wide as its query.
    let gate = deltaNet == nil ? 0 : queries
    let attention = hidden.multiplied(
      clampingBy: (2 * queries).added(clamping: gate).added(clamping: 2 * keys))
    var sum = attention.multiplied(clampingBy: layers - (deltaNet?.layers ?? 0))
    if let deltaNet {
      let keyWidth = deltaNet.keyHeads.multiplied(clampingBy: deltaNet.keyDimension)
      let valueWidth = deltaNet.valueHeads.multiplied(clampingBy: deltaNet.valueDimension)
      // Query and key; value, gate and output; two scalars for each head.
      let width = (2 * keyWidth).added(clamping: 3 * valueWidth)
        .added(clamping: 2 * deltaNet.valueHeads)
      sum = sum.added(
        clamping: hidden.multiplied(clampingBy: width).multiplied(clampingBy: deltaNet.layers))
    }
    var inner = feedForward
    var router = 0
    if let experts {
      inner = inner.added(clamping: experts.count.multiplied(clampingBy: experts.size))
        .added(clamping: experts.sharedSize ?? 0)
      router = experts.count.added(clamping: experts.sharedSize == nil ? 0 : 1)
    }
    let feed = hidden.multiplied(clampingBy: (3 * inner).added(clamping: router))
    sum = sum.added(clamping: feed.multiplied(clampingBy: layers))
    let embedding = hidden.multiplied(clampingBy: vocabulary)
    return sum.added(clamping: isTied ? embedding : 2 * embedding)
  }
}
