extension Architecture {
  /// Qwen3, dense: an RMS norm on every query and key head before the rotation.
  ///
  /// Yang et al. 2025, arXiv:2505.09388.
  package static let qwen3 = Architecture(
    name: "qwen3",
    gguf: ["qwen3"],
    huggingFace: ["qwen3"],
    block: BlockDesign(attention: .init(bias: .whereStored, queryKeyNorm: .perHead)),
    tensors: .llamaStyle.addingHeadNorms,
    configure: ModelConfiguration.llamaStyle)
}

extension TensorNames {
  /// The per-head norms of queries and keys.
  var addingHeadNorms: TensorNames {
    adding([
      .queryNorm: (
        "blk.{layer}.attn_q_norm.weight", "model.layers.{layer}.self_attn.q_norm.weight"
      ),
      .keyNorm: (
        "blk.{layer}.attn_k_norm.weight", "model.layers.{layer}.self_attn.k_norm.weight"
      ),
    ])
  }
}
