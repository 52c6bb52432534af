import Kernels
import Transformers

extension MemoryPlan {
  /// The program with its libraries and the runtime's heap, measured without a model.
  private static let binary = 20_000_000

  /// Pieces, merges and their tables, as measured on vocabularies of 49,152 and 151,936 tokens.
  private static let bytesPerToken = 200

  /// What running a model takes that has these matrices and this configuration.
  init(
    _ totals: MatrixTotals, _ configuration: ModelConfiguration, vocabulary: Int,
    keysAndValues type: KVType, context: Int, threads: Int
  ) {
    let chunk = ModelLoader.chunk
    self.init(
      fixed: MemoryNeed(
        anonymousWeights: totals.preparedByteCount + configuration.vectorByteCount,
        preparation: totals.preparationByteCount(threads: threads),
        recurrentState: ModelState.recurrentByteCount(configuration),
        scratch: Workspace.byteCount(
          configuration, capacity: chunk, context: context, threads: threads),
        tokenizer: vocabulary * Self.bytesPerToken,
        binary: Self.binary),
      layers: ModelState.keyValueLayers(configuration, type: type).map {
        KeyValueLayers(
          count: $0.count, bytesPerBlock: $0.bytesPerBlock,
          // Blocks are let go of whole, and only after the chunk that passes them.
          longest: $0.window.map { $0 + chunk + Self.blockPositions })
      })
  }
}
