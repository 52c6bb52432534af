import Kernels
import Tokenizers
import Transformers

/// What a model takes, from its headers, or from numbers where nobody has its files.
package struct ModelEstimate: Sendable, Hashable {
  /// Bytes of the weights in memory.
  package let weights: Int
  package let parameterCount: Int
  /// The most tokens that the model was made for.
  package let contextLength: Int
  /// What it takes for any context up to `contextLength`, or the one of the options.
  package let plan: MemoryPlan

  /// The model at a path.
  ///
  /// - Throws: what is wrong with the files, by name.
  package init(path: String, options: ModelOptions = ModelOptions()) throws {
    let (source, settings) = try ModelPackage.open(path: path)
    let plan = try ModelPlan(source, settings: settings)
    self.init(plan.totals, plan.configuration, options: options)
  }

  /// A model of these sizes.
  package init(sizes: ModelSizes, options: ModelOptions = ModelOptions()) {
    self.init(sizes.totals, sizes.configuration, options: options)
  }

  private init(
    _ totals: MatrixTotals, _ configuration: ModelConfiguration, options: ModelOptions
  ) {
    weights = totals.preparedByteCount + configuration.vectorByteCount
    parameterCount = totals.parameterCount
    contextLength = configuration.contextLength
    plan = MemoryPlan(
      totals, configuration,
      tokenizer: Tokenizer.byteCount(tokens: configuration.vocabularySize),
      keysAndValues: KVType(options),
      context: options.contextLength ?? configuration.contextLength,
      threads: options.threads ?? defaultThreadCount())
  }
}
