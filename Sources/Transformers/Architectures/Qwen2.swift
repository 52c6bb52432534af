extension Architecture {
  /// Qwen2 and Qwen2.5: as Llama, with biases on the query, key and value projections.
  ///
  /// Yang et al. 2024, arXiv:2407.10671.
  package static let qwen2 = Architecture(
    name: "qwen2",
    gguf: ["qwen2"],
    huggingFace: ["qwen2"],
    block: BlockDesign(attention: .init(bias: .queryKeyValue)),
    tensors: .llamaStyle,
    configure: ModelConfiguration.llamaStyle)
}
