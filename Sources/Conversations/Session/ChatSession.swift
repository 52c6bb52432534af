package import Inference
import Tokenizers
import Synchronization

/// Drives one conversation with an engine.
///
/// Tokens are kept as they were fed and sampled, and a turn adds only its own: the text that the
/// template puts between the last reply and the next one. The conversation is rendered whole when
/// there is nothing to follow, when the system prompt or the model has changed, or when the
/// template cannot continue; the statistics of the turn then say so.
package actor ChatSession {
  /// The engine; its `cancel()` stops a turn from any thread.
  package nonisolated let engine: any InferenceEngine
  package private(set) var settings: ChatSettings
  package private(set) var tree = ConversationTree()
  /// The last turn of the active branch.
  package private(set) var lastTurn: ChatTurn?

  /// Why the stored tokens no longer lead to the next turn; nil while they do.
  private var staleness: Staleness?
  private var isBusy = false
  /// Set by `stop()`, which may come before the engine has begun.
  private nonisolated let isStopped = Atomic(false)

  private enum Staleness: String {
    case system = "the system prompt has changed"
    case model = "the model has changed"
    case template = "the chat template cannot continue the conversation"
  }

  package init(engine: any InferenceEngine, settings: ChatSettings) {
    self.engine = engine
    self.settings = settings
  }

  /// Stops the turn that is under way, in the prompt too; what was said is kept.
  package nonisolated func stop() {
    isStopped.store(true, ordering: .sequentiallyConsistent)
    engine.cancel()
  }

  /// Forgets a `stop()` that came when there was nothing to stop.
  package nonisolated func forgetStop() {
    isStopped.store(false, ordering: .sequentiallyConsistent)
  }

  /// Sends a message and follows the reply.
  ///
  /// A message that got no reply (the turn was stopped while the prompt was read) is replaced by
  /// this one. A turn that fails before its first token leaves the conversation as it was; one
  /// that fails later, or whose `onEvent` throws, keeps what was said.
  package func send(
    _ text: String, onEvent: @Sendable (GenerationEvent) throws -> Void
  ) async throws -> ChatTurn {
    let before = tree
    var parent = tree.leafID
    if let leaf = tree.leaf, leaf.message.role == .user { parent = leaf.parentID }
    tree.append(ChatMessage(.user, text), after: parent)
    do {
      return try await reply(onEvent: onEvent)
    } catch {
      if tree.leaf?.message.role == .user { tree = before }
      throw error
    }
  }

  /// Answers the last message again, as a sibling of its last reply.
  package func regenerate(
    onEvent: @Sendable (GenerationEvent) throws -> Void
  ) async throws -> ChatTurn {
    guard let leaf = tree.leaf else { throw ChatSessionError.nothingToRegenerate }
    let before = tree.leafID
    if leaf.message.role == .assistant { tree.leafID = leaf.parentID }
    do {
      return try await reply(onEvent: onEvent)
    } catch {
      if tree.leaf?.message.role == .user { tree.leafID = before }
      throw error
    }
  }

  /// Forgets all messages; the settings stay.
  package func clear() {
    tree = ConversationTree()
    lastTurn = nil
    staleness = nil
  }

  /// Changes the system prompt of the whole conversation, which is then read anew.
  package func setSystem(_ system: String?) {
    if settings.system == system { return }
    settings.system = system
    staleness = .system
  }

  /// Whether the next replies begin with thinking, in a model that can switch.
  package func setThinking(_ isThinking: Bool) {
    settings.isThinking = isThinking
  }

  /// Replaces the model; if that fails the old one stays, and with it the conversation's tokens.
  package func loadModel(
    _ model: ModelReference, budget: MemoryBudget,
    progress: @escaping @Sendable (LoadProgress) -> Void
  ) async throws -> ModelDescription {
    let description = try await engine.load(model, budget: budget, progress: progress)
    staleness = .model
    return description
  }

  /// Generates the reply to the leaf, a user's message.
  private func reply(onEvent: @Sendable (GenerationEvent) throws -> Void) async throws -> ChatTurn {
    if isBusy { throw EngineError.busy }
    isBusy = true
    defer {
      isBusy = false
      isStopped.store(false, ordering: .sequentiallyConsistent)
    }

    guard let leafID = tree.leafID else { throw ChatSessionError.nothingToRegenerate }
    let history = tree.tokens(to: leafID)
    let (prompt, isWhole, note) = try makePrompt(history)
    let parameters = makeParameters(prompt)
    let collected = await collect(
      engine.generate((isWhole ? [] : history) + prompt.tokens, parameters), onEvent: onEvent)

    var statistics = collected.statistics
    if statistics.reuseNote == nil { statistics.reuseNote = note }
    let message = ChatMessage(
      .assistant, collected.answer,
      reasoning: collected.reasoning.isEmpty ? nil : collected.reasoning,
      toolCalls: collected.toolCalls)
    let turn = ChatTurn(reply: message, statistics: statistics, parameters: parameters)
    if !collected.tokens.isEmpty {
      tree.append(
        message, after: leafID,
        tokens: .init(prompt: prompt.tokens, isWhole: isWhole, reply: collected.tokens),
        statistics: statistics)
      staleness = nil
      lastTurn = turn
    }
    if let failure = collected.failure { throw failure }
    return turn
  }

  /// What is fed for the reply to the leaf: all of it, or what follows `history`.
  private func makePrompt(
    _ history: [TokenID]
  ) throws -> (prompt: Prompt, isWhole: Bool, note: String?) {
    var messages = tree.path.map(\.message)
    if let system = settings.system { messages.insert(ChatMessage(.system, system), at: 0) }
    let request = PromptRequest(
      messages: messages,
      thinking: engine.loaded?.thinking == .switchable ? settings.isThinking : nil)
    if history.isEmpty { return (try engine.prompt(request), true, nil) }
    var reason = staleness
    if reason == nil {
      if let prompt = try? engine.continuation(request, after: history) {
        return (prompt, false, nil)
      }
      reason = .template
    }
    return (try engine.prompt(request), true, reason?.rawValue)
  }

  private func makeParameters(_ prompt: Prompt) -> GenerationParameters {
    GenerationParameters(
      maximumTokens: settings.maximumTokens, stopStrings: settings.stopStrings,
      sampling: SamplingParameters(model: engine.loaded?.sampling, user: settings.sampling),
      seed: settings.seed ?? UInt64.random(in: 0...UInt64(UInt32.max)),
      thinkingBudget: settings.thinkingBudget,
      startsInsideThinking: prompt.startsInsideThinking)
  }

  /// All that a stream of events brought, and how it ended.
  private struct Collected {
    var answer = ""
    var reasoning = ""
    var toolCalls: [ToolCall] = []
    var tokens: [TokenID] = []
    var statistics = Statistics(stopReason: .error)
    var failure: (any Error)?
  }

  private func collect(
    _ stream: AsyncThrowingStream<GenerationEvent, any Error>,
    onEvent: @Sendable (GenerationEvent) throws -> Void
  ) async -> Collected {
    var collected = Collected()
    var hasFinished = false
    do {
      stopIfAsked()
      for try await event in stream {
        switch event {
        case .prefill: break
        case .reasoning(let text, let tokens):
          collected.reasoning += text
          collected.tokens += tokens
        case .answer(let text, let tokens):
          collected.answer += text
          collected.tokens += tokens
        case .toolCall(let call, let tokens):
          collected.toolCalls.append(call)
          collected.tokens += tokens
        case .finished(let statistics):
          collected.statistics = statistics
          hasFinished = true
        }
        try onEvent(event)
        if case .prefill = event { stopIfAsked() }
      }
      if !hasFinished { collected.failure = ChatSessionError.endedEarly }
    } catch {
      collected.failure = error
      engine.cancel()
    }
    return collected
  }

  /// Passes on a `stop()` that came before the engine could hear it.
  private func stopIfAsked() {
    if isStopped.load(ordering: .sequentiallyConsistent) { engine.cancel() }
  }
}
