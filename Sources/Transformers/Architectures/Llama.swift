extension Architecture {
  /// Llama and SmolLM2: grouped-query attention, half-split rotation (GGUF files interleave the rows
  /// of q and k), SwiGLU.
  ///
  /// Touvron et al. 2023, arXiv:2302.13971; Grattafiori et al. 2024, arXiv:2407.21783.
  package static let llama = Architecture(
    name: "llama",
    gguf: ["llama"],
    huggingFace: ["llama"],
    block: BlockDesign(
      attention: .init(bias: .whereStored, fileRotation: .adjacentInGGUF)),
    tensors: .llamaStyle.adding([
      .ropeDivisors: ("rope_freqs.weight", "")
    ]),
    configure: ModelConfiguration.llamaStyle)
}
