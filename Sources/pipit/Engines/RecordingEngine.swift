import JSON
import FoundationEssentials
import Inference
import ModelLibrary
import Tokenizers

/// Test-only: notes in a file what an engine is asked, and passes it on.
struct RecordingEngine: InferenceEngine {
  private let engine: any InferenceEngine
  private let path: String

  init(_ engine: any InferenceEngine, path: String) {
    self.engine = engine
    self.path = path
  }

  var loaded: ModelDescription? { engine.loaded }
  var endOfTurn: Set<TokenID> { engine.endOfTurn }
  var contextLength: Int { engine.contextLength }

  func load(
    _ model: ModelReference, budget: MemoryBudget,
    progress: @escaping @Sendable (LoadProgress) -> Void
  ) async throws -> ModelDescription {
    let options = model.options
    note([
      ("load", .string(model.name)), ("context", .optional(options.contextLength)),
      ("threads", .optional(options.threads)),
      ("kv_bits", .optional(options.keyValueBits?.rawValue)),
      ("backend", .optional(options.backend?.rawValue)), ("force", .bool(budget.isForced)),
    ])
    return try await engine.load(model, budget: budget, progress: progress)
  }

  func unload() async { await engine.unload() }

  func generate(
    _ prompt: [TokenID], _ parameters: GenerationParameters
  ) -> AsyncThrowingStream<GenerationEvent, any Error> {
    let text = (try? engine.decode(prompt, skippingControl: false)) ?? ""
    note([
      ("prompt", .string(text)), ("think_budget", .optional(parameters.thinkingBudget)),
      ("draft", .string(parameters.drafting.rawValue)),
    ])
    return engine.generate(prompt, parameters)
  }

  func cancel() { engine.cancel() }

  func encode(_ text: String, matchingControl: Bool) throws -> [TokenID] {
    try engine.encode(text, matchingControl: matchingControl)
  }

  func decode(_ tokens: [TokenID], skippingControl: Bool) throws -> String {
    try engine.decode(tokens, skippingControl: skippingControl)
  }

  func prompt(_ request: PromptRequest) throws -> Prompt { try engine.prompt(request) }

  func continuation(
    _ request: PromptRequest, after history: [TokenID]
  ) throws -> Prompt {
    try engine.continuation(request, after: history)
  }

  private func note(_ pairs: [(String, JSONValue)]) {
    try? PrivateFiles.append(Data((JSONValue.members(pairs).text + "\n").utf8), to: path)
  }
}
