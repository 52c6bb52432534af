import Inference
import Kernels
import ModelLibrary
import Tokenizers

/// The one place where the executable chooses what computes.
///
/// Commands know the protocols only, so that another engine slots in here and nowhere else.
enum Engines {
  /// Test-only: the path of a script for `ScriptedEngine`, which then answers in place of a model.
  static let scriptVariable = "PIPIT_SCRIPTED_ENGINE"

  /// Whether a scripted engine stands in, which needs no installed model.
  static var isScripted: Bool { environment(scriptVariable) != nil }

  /// The engine that answers, with no model loaded yet.
  static func makeEngine() throws -> any InferenceEngine {
    if let path = environment(scriptVariable) {
      return try EngineScriptFile.makeEngine(path: path)
    }
    return CPUEngine(prepared: prepared)
  }

  /// Where prepared weights are kept for the next load; nil if config.json says that none are.
  ///
  /// What is wrong with config.json is told where it says which model to use.
  static var prepared: PreparedStore? {
    let directories = Directories(environment: environment)
    let limit = (try? Configuration(path: directories.config))?.preparedByteCount
    return limit == 0 ? nil : PreparedStore(directory: directories.prepared, limit: limit)
  }

  /// A model's tokenizer and template, without its weights.
  static func openText(_ model: ModelReference) throws -> any TextModel {
    if isScripted { return ScriptedModel() }
    return try ModelPackage(path: model.path)
  }

  /// A model whose logits can be had, loaded.
  static func openRaw(_ model: ModelReference, budget: MemoryBudget) async throws -> any RawModel {
    if isScripted { return ScriptedModel() }
    return try await CPUModel(model, budget: budget)
  }

  /// A model whose predictions can be judged, loaded.
  static func openEvaluated(
    _ model: ModelReference, budget: MemoryBudget,
    progress: @escaping @Sendable (LoadProgress) -> Void
  ) async throws -> any EvaluatedModel {
    if isScripted { return ScriptedModel() }
    return try await EvaluatedCPUModel(model, budget: budget, progress: progress)
  }

  /// The most threads worth measuring.
  static var availableThreads: Int { defaultThreadCount() }

  /// What limits the speed of a loaded engine; nil when nobody knows.
  static func probe(_ engine: any InferenceEngine) -> (any SpeedProbe)? {
    CPUSpeedProbe(engine)
  }
}

/// What `tokenize`, `detokenize` and `template` ask of a model.
protocol TextModel: Sendable {
  /// The ids of a text; with `matchingControl` literals of control tokens become those tokens.
  func encode(_ text: String, matchingControl: Bool) throws -> [TokenID]
  /// The bytes that ids stand for, which need not be whole characters.
  func bytes(of tokens: [TokenID]) throws -> [UInt8]
  /// The source of its chat template; nil when it has none.
  var template: String? { get }
  /// Variables that templates expect of a model, such as `bos_token`, by name.
  var templateVariables: [(name: String, value: String)] { get }
}

/// What `logits` asks of a loaded model.
protocol RawModel: Sendable {
  /// Runs tokens through the model from an empty context, `chunk` at a time (nil is the engine's
  /// choice), and hands over the logits of each position in order, one for each vocabulary entry.
  func logits(
    of tokens: [TokenID], chunk: Int?,
    onPosition: @escaping @Sendable ([Float]) throws -> Void
  ) async throws
}

/// What `perplexity` asks of a loaded model.
protocol EvaluatedModel: Sendable {
  /// The ids of a text, none of them control tokens.
  func encode(_ text: String) throws -> [TokenID]
  /// The token that goes before a text; nil when the model adds none.
  var textBeginning: TokenID? { get throws }
  /// −ln of the probability of each token after position `first`.
  func surprisals(of tokens: [TokenID], after first: Int) async throws -> [Double]
  /// Threads that compute, and backend with instruction set.
  var speed: (threads: Int, backend: String) { get }
}

/// What `bench` wants to know beside what an engine's statistics say.
protocol SpeedProbe: Sendable {
  /// Threads that compute.
  var threads: Int { get }
  /// The backend and instruction set, such as `simd avx512`.
  var backend: String { get }
  /// Bytes of keys and values that a token leaves behind.
  var keyValueBytesPerToken: Int { get }
  /// What decoding the tokens at `positions` moves, the mean of them; nil of no positions.
  func traffic(at positions: Range<Int>) -> DecodeTraffic?
  /// Bytes a second that these threads can read from memory, measured now.
  func measureReadBandwidth() async -> Double?
  /// The logits of each position by a backend, whichever the model was loaded with; `chunk` tokens
  /// are read at a time (nil is the engine's choice).
  func logits(
    of tokens: [TokenID], chunk: Int?, backend: ModelOptions.Backend
  ) async throws -> [[Float]]
}
