import Tokenizers

/// One reply of a `ScriptedEngine` in the making.
struct ScriptedReply {
  private let script: EngineScript
  private let steps: [EngineScript.Step]
  private let parameters: GenerationParameters
  private let promptCount: Int
  private let reused: Int
  private let window: ContextWindow
  private var assembler: ReplyAssembler
  private var sampled = 0
  /// Tokens of the prompt and of the reply so far.
  private(set) var tokens: [TokenID]

  init(
    script: EngineScript, steps: [EngineScript.Step], prompt: [TokenID], reused: Int,
    parameters: GenerationParameters, contextLength: Int
  ) {
    self.script = script
    self.steps = steps
    self.parameters = parameters
    self.reused = reused
    promptCount = prompt.count
    tokens = prompt
    window = ContextWindow(length: contextLength, modelLength: script.contextLength)
    assembler = ReplyAssembler(
      stopStrings: parameters.stopStrings, tags: script.thinking == .none ? nil : ThinkingTags(),
      startsInsideThinking: parameters.startsInsideThinking)
  }

  /// Goes through prompt and steps; ends with `.finished` unless it throws.
  mutating func run(_ emit: (GenerationEvent) -> Void) async throws {
    let limit = try window.admit(
      promptTokens: promptCount, replyTokens: parameters.maximumTokens)
    var reason: StopReason
    do {
      try await prefill(emit)
      reason = try await follow(limit: limit, emit)
    } catch is CancellationError {
      reason = .cancelled
    }
    if reason == .endOfTurn {
      take("", [ScriptedVocabulary.endOfTurn], emit)
    }
    var events: [GenerationEvent] = []
    assembler.finish(into: &events)
    events.forEach(emit)
    emit(.finished(statistics(reason)))
  }

  private func prefill(_ emit: (GenerationEvent) -> Void) async throws {
    let total = promptCount - reused
    var done = 0
    while done < total {
      try await Task.sleep(for: script.prefillDelay)
      try Task.checkCancellation()
      done = min(done + 64, total)
      emit(.prefill(done: done, total: total))
    }
  }

  private mutating func follow(
    limit: Int, _ emit: (GenerationEvent) -> Void
  ) async throws -> StopReason {
    for step in steps {
      try Task.checkCancellation()
      switch step {
      case .delay(let duration): try await Task.sleep(for: duration)
      case .stop(let reason): return reason
      case .failure(let error): throw error
      case .text(let text):
        let fitting = ScriptedVocabulary.prefix(of: text, tokens: limit - sampled)
        take(fitting, ScriptedVocabulary.encode(fitting, matchingControl: true), emit)
        if assembler.hasStopped { return .stopString }
        if fitting.utf8.count < text.utf8.count || sampled == limit {
          return parameters.lengthReason
        }
      }
    }
    return .endOfTurn
  }

  private mutating func take(
    _ text: String, _ new: [TokenID], _ emit: (GenerationEvent) -> Void
  ) {
    guard !new.isEmpty else { return }
    sampled += new.count
    tokens += new
    var events: [GenerationEvent] = []
    assembler.append(text, tokens: new, into: &events)
    events.forEach(emit)
  }

  private func statistics(_ reason: StopReason) -> Statistics {
    var statistics = script.statistics
    statistics.promptTokens = promptCount
    statistics.reusedTokens = reused
    statistics.generatedTokens = sampled
    statistics.reasoningTokens = assembler.reasoningTokens
    statistics.stopReason = reason
    statistics.seed = parameters.seed
    return statistics
  }
}
