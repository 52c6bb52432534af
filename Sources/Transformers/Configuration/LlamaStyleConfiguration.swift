extension ModelConfiguration {
  /// What a family takes where its files leave a setting out.
  struct Defaults {
    /// Nil is hidden / heads.
    var headDimension: Int?
    var ropeBase = 10_000.0
    var normEpsilon = 1e-5
    /// The feed-forwards are experts, whose sizes are read elsewhere.
    var hasExperts = false
  }

  /// Reads what Llama, Qwen2 and Qwen3 have in common.
  ///
  /// - Throws: ``ModelError`` naming the setting that is missing or senseless.
  static func llamaStyle(_ settings: ModelSettings) throws -> ModelConfiguration {
    try llamaStyle(settings, defaults: Defaults())
  }

  static func llamaStyle(
    _ settings: ModelSettings, defaults: Defaults
  ) throws -> ModelConfiguration {
    let layerCount = try settings.count("block_count", "num_hidden_layers", atMost: 1024)
    let hidden = try settings.count("embedding_length", "hidden_size", atMost: 1 << 20)
    let heads = try settings.count("attention.head_count", "num_attention_heads", atMost: 1 << 12)
    let keyValueHeads =
      try settings.countIfPresent(
        "attention.head_count_kv", "num_key_value_heads", atMost: heads) ?? heads
    guard heads.isMultiple(of: keyValueHeads) else {
      throw ModelError.setting(
        "attention.head_count_kv", "\(heads) query heads do not divide among \(keyValueHeads)")
    }
    let headDimension =
      try settings.countIfPresent("attention.key_length", "head_dim", atMost: 1 << 12)
      ?? defaults.headDimension ?? hidden / heads
    if let valueDimension = try settings.countIfPresent(
      "attention.value_length", nil, atMost: 1 << 12), valueDimension != headDimension
    {
      throw ModelError.setting(
        "attention.value_length", "\(valueDimension) differs from the key length \(headDimension)")
    }
    let feedForward =
      try defaults.hasExperts
      ? Array(repeating: 1, count: layerCount)
      : settings.counts(
        "feed_forward_length", "intermediate_size", layers: layerCount, atMost: 1 << 22)
    let epsilon = try settings.number(
      "attention.layer_norm_rms_epsilon", "rms_norm_eps", default: defaults.normEpsilon, in: 0...1)
    return ModelConfiguration(
      hiddenSize: hidden,
      vocabularySize: 0,  // The embedding tells.
      contextLength: try settings.count(
        "context_length", "max_position_embeddings", atMost: 1 << 30),
      normEpsilon: Float(epsilon),
      attention: AttentionConfiguration(
        heads: heads, keyValueHeads: keyValueHeads, headDimension: headDimension,
        scale: 1 / Float(headDimension).squareRoot()),
      rope: try settings.rope(headDimension: headDimension, defaultBase: defaults.ropeBase),
      layers: feedForward.map {
        LayerConfiguration(mixer: .attention(window: nil), feedForward: .dense($0))
      })
  }
}
