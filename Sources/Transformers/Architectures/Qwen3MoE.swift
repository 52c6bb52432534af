extension Architecture {
  /// Qwen3 with routed experts in place of the feed-forward.
  ///
  /// Yang et al. 2025, arXiv:2505.09388.
  package static let qwen3MoE = Architecture(
    name: "qwen3_moe",
    gguf: ["qwen3moe"],
    huggingFace: ["qwen3_moe"],
    block: BlockDesign(attention: .init(bias: .whereStored, queryKeyNorm: .perHead)),
    tensors: .llamaStyle.addingHeadNorms.addingExperts,
    configure: { settings in
      if let step = try settings.integer(nil, "decoder_sparse_step"), step != 1 {
        throw ModelError.setting("decoder_sparse_step", "\(step), not 1")
      }
      var configuration = try ModelConfiguration.llamaStyle(
        settings,
        defaults: .init(
          headDimension: 128, ropeBase: 1_000_000, normEpsilon: 1e-6, hasExperts: true))
      try configuration.useExperts(settings, hasShared: false)
      return configuration
    })
}

extension TensorNames {
  /// The router's and the routed experts' tensors.
  var addingExperts: TensorNames {
    let mlx = "model.layers.{layer}.mlp."
    return adding([
      .router: ("blk.{layer}.ffn_gate_inp.weight", mlx + "gate.weight"),
      .stackedGate: ("blk.{layer}.ffn_gate_exps.weight", mlx + "switch_mlp.gate_proj.weight"),
      .stackedUp: ("blk.{layer}.ffn_up_exps.weight", mlx + "switch_mlp.up_proj.weight"),
      .stackedGateUp: ("blk.{layer}.ffn_gate_up_exps.weight", mlx + "experts.gate_up_proj"),
      .stackedDown: ("blk.{layer}.ffn_down_exps.weight", mlx + "switch_mlp.down_proj.weight"),
      .stackedDownOfGateUp: ("", mlx + "experts.down_proj"),
      .expertGate: ("", mlx + "experts.{expert}.gate_proj.weight"),
      .expertUp: ("", mlx + "experts.{expert}.up_proj.weight"),
      .expertDown: ("", mlx + "experts.{expert}.down_proj.weight"),
    ])
  }

  /// The tensors of the expert that every token visits.
  var addingSharedExpert: TensorNames {
    let mlx = "model.layers.{layer}.mlp."
    return adding([
      .sharedExpertGate: (
        "blk.{layer}.ffn_gate_inp_shexp.weight", mlx + "shared_expert_gate.weight"
      ),
      .sharedGate: ("blk.{layer}.ffn_gate_shexp.weight", mlx + "shared_expert.gate_proj.weight"),
      .sharedUp: ("blk.{layer}.ffn_up_shexp.weight", mlx + "shared_expert.up_proj.weight"),
      .sharedDown: ("blk.{layer}.ffn_down_shexp.weight", mlx + "shared_expert.down_proj.weight"),
    ])
  }
}

extension ModelConfiguration {
  /// Puts experts into every layer.
  mutating func useExperts(_ settings: ModelSettings, hasShared: Bool) throws {
    if settings.hasElements(json: "mlp_only_layers") {
      throw ModelError.setting("mlp_only_layers", "layers without experts are not supported")
    }
    let shape = try ExpertShape(settings, hasShared: hasShared)
    for index in layers.indices { layers[index].feedForward = .experts(shape) }
  }
}
