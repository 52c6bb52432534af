import Inference
import Synchronization
import Tokenizers

/// Test-only: follows an `EngineScript` so that the built binary can be tested without a model.
final class StandInEngine: InferenceEngine {
  private struct State {
    var loaded: ModelDescription?
    var turn = 0
    var isCancelled = false
    /// The tokens of the last prompt and reply.
    var held: [TokenID] = []
  }

  private let script: EngineScript
  private let state = Mutex(State())

  init(_ script: EngineScript) {
    self.script = script
  }

  var loaded: ModelDescription? { state.withLock { $0.loaded } }
  var endOfTurn: Set<TokenID> { [256] }
  var contextLength: Int { script.context ?? 4096 }

  func load(
    _ model: ModelReference, budget: MemoryBudget,
    progress: @escaping @Sendable (LoadProgress) -> Void
  ) async throws -> ModelDescription {
    if let failure = script.loadFailure, script.failingModel ?? model.name == model.name {
      if failure == "memory", !budget.isForced {
        throw MemoryRefusal.memory(
          MemoryShortage(
            needed: 9_000_000_000, available: 1_000_000_000, limit: "MemAvailable",
            contextLength: contextLength, largestContext: 512))
      }
      if failure == "file" { throw TemplateFailure() }
    }
    progress(LoadProgress(.ready))
    let description = ModelDescription(
      name: model.name, path: model.path, architecture: "scripted", parameterCount: 0,
      byteCount: 0, layerCount: 0, contextLength: contextLength, vocabularyCount: 257,
      thinking: script.thinking ?? .none)
    state.withLock { $0.loaded = description }
    return description
  }

  func unload() async { state.withLock { $0.loaded = nil } }

  func cancel() { state.withLock { $0.isCancelled = true } }

  private var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func generate(
    _ prompt: [TokenID], _ parameters: GenerationParameters
  ) -> AsyncThrowingStream<GenerationEvent, any Error> {
    let (reply, held) = state.withLock { state in
      defer { state.turn += 1 }
      state.isCancelled = false
      return (script.replies[min(state.turn, script.replies.count - 1)], state.held)
    }
    return AsyncThrowingStream { continuation in
      let task = Task {
        do {
          try await run(prompt, parameters, reply, held: held) { continuation.yield($0) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private func run(
    _ prompt: [TokenID], _ parameters: GenerationParameters, _ reply: EngineScript.Reply,
    held: [TokenID], yield: (GenerationEvent) -> Void
  ) async throws {
    if prompt.count >= contextLength {
      throw MemoryRefusal.context(
        ContextShortage(
          promptTokens: prompt.count, replyTokens: 1, contextLength: contextLength,
          modelContextLength: contextLength))
    }
    let reused = zip(prompt, held).prefix { $0 == $1 }.count
    var statistics = Statistics(
      promptTokens: prompt.count, reusedTokens: reused, stopReason: reply.stop ?? .endOfTurn,
      seed: parameters.seed)
    let fresh = prompt.count - reused
    for done in stride(from: 0, through: fresh, by: 64) {
      if isCancelled { break }
      yield(.prefill(done: min(done + 64, fresh), total: fresh))
      try await pause(script.prefillDelay)
    }
    let echo = String(
      decoding: prompt.suffix(fresh).map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    var tokens: [TokenID] = []
    for (text, isReasoning) in [(reply.reasoning ?? "", true), (reply.answer ?? echo, false)] {
      for character in text {
        if isCancelled || tokens.count >= parameters.maximumTokens ?? Int.max { break }
        let ids = character.utf8.map { TokenID($0) }
        tokens += ids
        if isReasoning { statistics.reasoningTokens += ids.count }
        yield(isReasoning ? .reasoning(String(character), ids) : .answer(String(character), ids))
        try await pause(script.tokenDelay)
      }
    }
    if reply.fails == true {
      throw EngineError.nonFiniteLogit(token: 0, step: tokens.count)
    }
    if isCancelled {
      statistics.stopReason = .cancelled
    } else if tokens.count >= parameters.maximumTokens ?? Int.max {
      statistics.stopReason = .length
    } else {
      tokens.append(256)
      yield(.answer("", [256]))
    }
    statistics.generatedTokens = tokens.count
    let all = prompt + tokens
    state.withLock { $0.held = all }
    yield(.finished(statistics))
  }

  private func pause(_ milliseconds: Int?) async throws {
    guard let milliseconds, milliseconds > 0 else { return }
    try await Task.sleep(for: .milliseconds(milliseconds))
  }

  func encode(_ text: String, matchingControl: Bool) throws -> [TokenID] {
    text.utf8.map { TokenID($0) }
  }

  func decode(_ tokens: [TokenID], skippingControl: Bool) throws -> String {
    String(decoding: tokens.filter { $0 < 256 }.map { UInt8($0) }, as: UTF8.self)
  }

  func prompt(_ request: PromptRequest) throws -> Prompt {
    let text = request.messages.map { Self.rendered($0) }.joined() + "assistant: "
    return Prompt(tokens: try encode(text, matchingControl: true), text: text)
  }

  func continuation(_ request: PromptRequest, after history: [TokenID]) throws -> Prompt {
    let new = request.messages.suffix(1).map { Self.rendered($0) }.joined()
    let text = "\n" + new + "assistant: "
    return Prompt(tokens: try encode(text, matchingControl: true), text: text)
  }

  private static func rendered(_ message: ChatMessage) -> String {
    "\(message.role.rawValue): \(message.content)\n"
  }
}

/// A stand-in for what is wrong with a model's file.
struct TemplateFailure: Error, CustomStringConvertible {
  var description: String { "The model's file is damaged." }
}
