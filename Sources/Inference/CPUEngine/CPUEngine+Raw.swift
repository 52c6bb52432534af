import Kernels
package import Tokenizers
import Transformers

extension CPUEngine {
  /// Reads tokens from an empty context, `chunk` at a time, and hands over the logits of each
  /// position in order: one float32 for each row of the vocabulary.
  ///
  /// Nothing of it is kept. `onPosition` is called on the engine's queue. With another backend than
  /// the model was loaded with, keys and values are of the type that goes with that.
  ///
  /// - Throws: `EngineError`, `MemoryRefusal` when the context is too short or memory, or what
  ///   `onPosition` throws.
  package func logits(
    of tokens: [TokenID], chunk: Int?, backend other: ModelOptions.Backend? = nil,
    onPosition: @escaping @Sendable ([Float]) throws -> Void
  ) async throws {
    let model = try requireModel()
    try ContextWindow(
      length: model.context, modelLength: model.description.contextLength
    ).admit(promptTokens: tokens.count, replyTokens: 0)
    let backend = try other.map { try MatmulBackend($0) } ?? model.backend
    let keyValueType =
      backend == model.backend
      ? model.keyValueType : KVType(ModelOptions(backend: other))
    let budget = budget
    try await onQueue {
      let transformer = model.transformer
      let capacity = min(chunk ?? model.workspace.capacity, max(tokens.count, 1))
      try model.admit(
        MemoryPlan(
          state: transformer.configuration, type: keyValueType,
          workspace: capacity <= model.workspace.capacity
            ? 0
            : Workspace.byteCount(
              transformer.configuration, capacity: capacity, context: model.context,
              threads: transformer.compute.pool.threads)),
        positions: tokens.count, budget: budget)
      let workspace =
        capacity <= model.workspace.capacity
        ? model.workspace
        : Workspace(
          transformer.configuration, capacity: capacity, context: model.context,
          threads: transformer.compute.pool.threads)
      var state = transformer.emptyState(
        context: model.context, keysAndValues: keyValueType)
      for start in stride(from: 0, to: tokens.count, by: capacity) {
        try transformer.read(
          tokens[start..<min(start + capacity, tokens.count)], state: &state,
          workspace: workspace, backend: backend, logits: .all
        ) { _, rows in
          for row in 0..<rows.rows { try onPosition(rows.elements(row: row)) }
        }
      }
    }
  }

  /// What the speed of the loaded model depends on; nil when none is loaded.
  package var speedFigures: SpeedFigures? {
    guard let model = try? requireModel() else { return nil }
    let compute = model.transformer.compute
    return SpeedFigures(
      threads: compute.pool.threads,
      backend: "\(model.backend) \(compute.kernels.instructionSet.rawValue)",
      keyValueBytesPerPosition: ModelState.bytesPerPosition(
        model.transformer.configuration, type: model.keyValueType))
  }

  /// What decoding the tokens at `positions` moves, the mean of them; nil when no model is loaded or
  /// there are no positions.
  package func decodeTraffic(at positions: Range<Int>) -> DecodeTraffic? {
    guard let model = try? requireModel(), !positions.isEmpty else { return nil }
    let configuration = model.transformer.configuration
    let read = positions.reduce(0) {
      $0 + ModelState.keyValueBytesRead(configuration, type: model.keyValueType, at: $1)
    }
    return DecodeTraffic(
      weights: model.transformer.weightBytesPerToken,
      keysAndValues: read / positions.count,
      recurrentState: 2 * ModelState.recurrentByteCount(configuration))
  }

  /// Bytes a second that the model's threads read from memory, measured now; nil where there is no
  /// memory for it.
  package func measureReadBandwidth() async throws -> Double? {
    let model = try requireModel()
    let budget = budget
    return try await onQueue {
      let byteCount = Self.bandwidthBytes
      if let available = budget.machine().available, available < byteCount { return nil }
      return Kernels.measureReadBandwidth(model.transformer.compute, byteCount: byteCount)
    }
  }

  /// Several times any cache.
  private static let bandwidthBytes = 256 << 20
}

/// What the speed of decoding depends on.
package struct SpeedFigures: Sendable, Hashable {
  /// Threads that compute.
  package let threads: Int
  /// Backend and instruction set, such as `simd avx512`.
  package let backend: String
  /// Bytes of keys and values that a position takes in whole blocks.
  package let keyValueBytesPerPosition: Int
}
