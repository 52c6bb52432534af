import Inference
import Synchronization
import Tokenizers

extension ModelPackage: TextModel {}

/// A model loaded into the CPU engine, for its logits.
struct CPUModel: RawModel {
  let engine: CPUEngine

  init(_ model: ModelReference, budget: MemoryBudget) async throws {
    engine = CPUEngine(prepared: Engines.prepared)
    try await engine.load(model, budget: budget) { _ in }
  }

  func logits(
    of tokens: [TokenID], chunk: Int?,
    onPosition: @escaping @Sendable ([Float]) throws -> Void
  ) async throws {
    try await engine.logits(of: tokens, chunk: chunk, onPosition: onPosition)
  }
}

/// A model loaded into the CPU engine, for its predictions.
struct EvaluatedCPUModel: EvaluatedModel {
  let engine: CPUEngine

  init(
    _ model: ModelReference, budget: MemoryBudget,
    progress: @escaping @Sendable (LoadProgress) -> Void
  ) async throws {
    engine = CPUEngine(prepared: Engines.prepared)
    try await engine.load(model, budget: budget, progress: progress)
  }

  func encode(_ text: String) throws -> [TokenID] {
    try engine.encode(text, matchingControl: false)
  }

  var textBeginning: TokenID? {
    get throws { try engine.textBeginning }
  }

  func surprisals(of tokens: [TokenID], after first: Int) async throws -> [Double] {
    try await engine.surprisals(of: tokens, after: first)
  }

  var speed: (threads: Int, backend: String) {
    let figures = engine.speedFigures
    return (figures?.threads ?? 0, figures?.backend ?? "")
  }
}

/// What the speed of a loaded CPU engine depends on.
struct CPUSpeedProbe: SpeedProbe {
  let engine: CPUEngine
  let figures: SpeedFigures

  init?(_ engine: any InferenceEngine) {
    guard let engine = engine as? CPUEngine, let figures = engine.speedFigures else { return nil }
    self.engine = engine
    self.figures = figures
  }

  var threads: Int { figures.threads }
  var backend: String { figures.backend }
  var keyValueBytesPerToken: Int { figures.keyValueBytesPerPosition }

  func traffic(at positions: Range<Int>) -> DecodeTraffic? {
    engine.decodeTraffic(at: positions)
  }

  func measureReadBandwidth() async -> Double? {
    try? await engine.measureReadBandwidth()
  }

  func logits(
    of tokens: [TokenID], chunk: Int?, backend: ModelOptions.Backend
  ) async throws -> [[Float]] {
    let rows = Mutex<[[Float]]>([])
    try await engine.logits(of: tokens, chunk: chunk, backend: backend) { row in
      rows.withLock { $0.append(row) }
    }
    return rows.withLock { $0 }
  }
}
