package import Kernels

extension ModelConfiguration {
  /// A model of these sizes, to estimate its memory; it computes nothing, so what only values depend
  /// on is left at what most families have.
  package init(
    hidden: Int, vocabulary: Int, context: Int, heads: Int, keyValueHeads: Int,
    headDimension: Int, layers: [LayerConfiguration], deltaNet: DeltaNetShape?
  ) {
    self.init(
      hiddenSize: hidden, vocabularySize: vocabulary, contextLength: context, normEpsilon: 1e-6,
      attention: AttentionConfiguration(
        heads: heads, keyValueHeads: keyValueHeads, headDimension: headDimension, scale: 1),
      rope: RopeConfiguration(base: 10_000, dimensions: headDimension, scaling: .none),
      deltaNet: deltaNet, layers: layers)
  }
}
