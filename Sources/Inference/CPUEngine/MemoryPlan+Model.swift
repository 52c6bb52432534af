import Kernels
import Transformers

extension MemoryPlan {
  /// The program with its libraries (RssFile) and its heap (RssAnon), measured without a model.
  private static let binary = 21_000_000
  private static let runtime = 4_000_000

  /// What running a model takes that has these matrices and this configuration, and a tokenizer of so
  /// many bytes.
  init(
    _ totals: MatrixTotals, _ configuration: ModelConfiguration, tokenizer: Int,
    keysAndValues type: KVType, context: Int, threads: Int,
    weights: WeightPlacement.Kind = .memory
  ) {
    let tiles = totals.preparedByteCount
    let vectors = configuration.vectorByteCount
    let rows = MatrixTotals.preparationByteCount(threads: threads)
    self.init(
      fixed: MemoryNeed(
        mappedWeights: weights == .memory ? 0 : tiles,
        anonymousWeights: weights == .memory ? tiles + vectors : vectors,
        preparation: weights == .memory
          ? rows : weights == .written ? rows + TileStream.windowByteCount : 0,
        recurrentState: ModelState.recurrentByteCount(configuration),
        scratch: Workspace.byteCount(
          configuration, capacity: ModelLoader.chunk, context: context, threads: threads),
        tokenizer: tokenizer, runtime: Self.runtime, binary: Self.binary),
      layers: Self.layers(configuration, type))
  }

  /// What another state takes beside a loaded model, and another workspace of so many bytes.
  init(state configuration: ModelConfiguration, type: KVType, workspace: Int) {
    self.init(
      fixed: MemoryNeed(
        recurrentState: ModelState.recurrentByteCount(configuration), scratch: workspace),
      layers: Self.layers(configuration, type))
  }

  private static func layers(
    _ configuration: ModelConfiguration, _ type: KVType
  ) -> [KeyValueLayers] {
    let chunk = ModelLoader.chunk
    return ModelState.keyValueLayers(configuration, type: type).map {
      KeyValueLayers(
        count: $0.count, bytesPerBlock: $0.bytesPerBlock,
        // Blocks are let go of whole, and only after the chunk that passes them.
        longest: $0.window.map { $0 + chunk + Self.blockPositions },
        newest: type.isQuantised
          ? NewestBlocks(
            most: KVBlocks.mostStoredBlocks(chunk: chunk), alone: KVBlocks.quantisedDistance,
            bytesPerBlock: $0.storedBytesPerBlock) : nil)
    }
  }
}
