import Kernels

extension Architecture {
  /// Qwen3.5 and Qwen3.6, text: three gated delta net layers to one of gated attention.
  ///
  /// The delta rule: Yang et al. 2024, arXiv:2412.06464.
  package static let qwen35 = Architecture(
    name: "qwen3_5",
    gguf: ["qwen35"],
    huggingFace: ["qwen3_5", "qwen3_5_text"],
    block: BlockDesign(
      attention: .init(queryKeyNorm: .perHead, outputGate: .sigmoid),
      normWeights: .zeroCentredInRawCheckpoints),
    tensors: .llamaStyle.addingHeadNorms.addingDeltaNet,
    configure: { try ModelConfiguration.qwen35($0, hasExperts: false) })
}

extension TensorNames {
  /// The gated delta net's tensors, and Qwen3.5's own name for the norm before the feed-forward.
  var addingDeltaNet: TensorNames {
    let mlx = "model.layers.{layer}.linear_attn."
    return adding([
      .feedForwardNorm: (
        "blk.{layer}.post_attention_norm.weight",
        "model.layers.{layer}.post_attention_layernorm.weight"
      ),
      .deltaNetInput: ("blk.{layer}.attn_qkv.weight", mlx + "in_proj_qkv.weight"),
      .deltaNetGate: ("blk.{layer}.attn_gate.weight", mlx + "in_proj_z.weight"),
      .deltaNetBeta: ("blk.{layer}.ssm_beta.weight", mlx + "in_proj_b.weight"),
      .deltaNetAlpha: ("blk.{layer}.ssm_alpha.weight", mlx + "in_proj_a.weight"),
      .deltaNetConvolution: ("blk.{layer}.ssm_conv1d.weight", mlx + "conv1d.weight"),
      .deltaNetDecay: ("blk.{layer}.ssm_a", mlx + "A_log"),
      .deltaNetTimeBias: ("blk.{layer}.ssm_dt.bias", mlx + "dt_bias"),
      .deltaNetNorm: ("blk.{layer}.ssm_norm.weight", mlx + "norm.weight"),
      .deltaNetOutput: ("blk.{layer}.ssm_out.weight", mlx + "out_proj.weight"),
    ])
  }
}

extension ModelConfiguration {
  /// Reads what Qwen3.5 adds to the Llama style.
  static func qwen35(
    _ settings: ModelSettings, hasExperts: Bool
  ) throws -> ModelConfiguration {
    var configuration = try llamaStyle(
      settings,
      defaults: .init(
        headDimension: 256, ropeBase: 10_000_000, normEpsilon: 1e-6, hasExperts: hasExperts))
    // Multi-token prediction blocks stand after the model's own and are no part of it.
    if let extra = try settings.integer("nextn_predict_layers", nil), extra > 0 {
      guard extra < configuration.layers.count else {
        throw ModelError.setting(
          settings.name("nextn_predict_layers", nil),
          "\(extra) of \(configuration.layers.count) layers")
      }
      configuration.layers.removeLast(extra)
    }
    configuration.deltaNet = try DeltaNetShape(settings)
    for (index, isAttention) in try attentionLayers(
      settings, count: configuration.layers.count
    ).enumerated() where !isAttention {
      configuration.layers[index].mixer = .deltaNet
    }
    return configuration
  }

  private static func attentionLayers(_ settings: ModelSettings, count: Int) throws -> [Bool] {
    if let kinds = settings.strings(json: "layer_types") {
      guard kinds.count >= count else {
        throw ModelError.setting("layer_types", "\(kinds.count) entries for \(count) layers")
      }
      return kinds.prefix(count).map { $0 == "full_attention" }
    }
    let interval =
      try settings.countIfPresent(
        "full_attention_interval", "full_attention_interval", atMost: 1024) ?? 4
    return (0..<count).map { ($0 + 1) % interval == 0 }
  }
}
