extension Architecture {
  /// Qwen3.5 and Qwen3.6 with routed experts and one that every token visits.
  package static let qwen35MoE = Architecture(
    name: "qwen3_5_moe",
    gguf: ["qwen35moe"],
    huggingFace: ["qwen3_5_moe", "qwen3_5_moe_text"],
    block: Architecture.qwen35.block,
    tensors: Architecture.qwen35.tensors.addingExperts.addingSharedExpert,
    configure: { settings in
      var configuration = try ModelConfiguration.qwen35(settings, hasExperts: true)
      try configuration.useExperts(settings, hasShared: true)
      return configuration
    })
}
