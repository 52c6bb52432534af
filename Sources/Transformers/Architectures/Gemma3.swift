import JSON
import Weights

extension Architecture {
  /// Gemma 3, text: five sliding-window layers to one that sees everything, norms before and after
  /// each sub-layer, GELU, a scaled embedding.
  ///
  /// Gemma Team 2025, arXiv:2503.19786.
  package static let gemma3 = Architecture(
    name: "gemma3",
    gguf: ["gemma3"],
    huggingFace: ["gemma3_text", "gemma3"],
    block: BlockDesign(
      attention: .init(queryKeyNorm: .perHead),
      activation: .geluTanh, norms: .sandwich, normWeights: .zeroCentredOutsideGGUF,
      embeddingScale: .squareRootOfHidden),
    tensors: .llamaStyle.addingHeadNorms.adding([
      .postMixerNorm: (
        "blk.{layer}.post_attention_norm.weight",
        "model.layers.{layer}.post_attention_layernorm.weight"
      ),
      .feedForwardNorm: (
        "blk.{layer}.ffn_norm.weight", "model.layers.{layer}.pre_feedforward_layernorm.weight"
      ),
      .postFeedForwardNorm: (
        "blk.{layer}.post_ffw_norm.weight",
        "model.layers.{layer}.post_feedforward_layernorm.weight"
      ),
    ]),
    configure: configuration)

  private static func configuration(_ settings: ModelSettings) throws -> ModelConfiguration {
    var configuration = try ModelConfiguration.llamaStyle(
      settings, defaults: .init(headDimension: 256, ropeBase: 1_000_000, normEpsilon: 1e-6))
    let attention = configuration.attention
    if let cap = try settings.number("attention.attn_logit_softcapping", "attn_logit_softcapping") {
      throw ModelError.setting(
        settings.name("attention.attn_logit_softcapping", "attn_logit_softcapping"),
        "Gemma 3 has no soft cap, and this is \(cap)")
    }
    let queryScalar = try settings.number(
      nil, "query_pre_attn_scalar", default: Double(attention.headDimension), in: 1...1e6)
    configuration.attention.scale = 1 / Float(queryScalar).squareRoot()

    configuration.localRope = RopeConfiguration(
      base: try settings.number(
        "rope.freq_base_swa", "rope_local_base_freq",
        default: try settings.object(json: "rope_parameters")?["sliding_attention"]?
          .finiteNumber("rope_theta") ?? 10_000, in: 1.000_1...1e15),
      dimensions: configuration.rope.dimensions, scaling: .none)
    let window = try settings.count("attention.sliding_window", "sliding_window", atMost: 1 << 24)
    let pattern =
      try settings.countIfPresent(
        "attention.sliding_window_pattern", "sliding_window_pattern", atMost: 1024) ?? 6
    let kinds = settings.strings(json: "layer_types")
    if let kinds, kinds.count != configuration.layers.count {
      throw ModelError.setting(
        "layer_types", "\(kinds.count) entries for \(configuration.layers.count) layers")
    }
    for index in configuration.layers.indices {
      let isLocal = kinds.map { $0[index] == "sliding_attention" } ?? ((index + 1) % pattern != 0)
      configuration.layers[index].mixer = .attention(window: isLocal ? window : nil)
    }
    return configuration
  }
}
