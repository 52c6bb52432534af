package import Tokenizers
import Synchronization

/// An engine without a model: it says what its script says.
///
/// The proof that another engine fits behind the protocol, and what everything above is tested
/// with. Its tokens are the bytes of UTF-8 and a few control tokens (`ScriptedVocabulary`), its
/// template is ChatML, and a beginning that two prompts share counts as reused.
package final class ScriptedEngine: InferenceEngine {
  /// What has been asked of the engine.
  package enum Call: Sendable, Hashable {
    case load(ModelReference)
    case unload
    case generate([TokenID], GenerationParameters)
    case cancel
  }

  private struct State: Sendable {
    var loaded: ModelDescription?
    /// As loaded.
    var contextLength = 0
    var calls: [Call] = []
    var replies = 0
    /// Tokens of the last prompt and reply.
    var held: [TokenID] = []
    var isGenerating = false
    var isCancelled = false
    var task: Task<Void, Never>?
  }

  private let script: EngineScript
  private let state = Mutex(State())

  package init(_ script: EngineScript) {
    self.script = script
  }

  /// The calls so far, in order.
  package var calls: [Call] { state.withLock { $0.calls } }

  package var loaded: ModelDescription? { state.withLock { $0.loaded } }

  package var endOfTurn: Set<TokenID> { loaded == nil ? [] : [ScriptedVocabulary.endOfTurn] }

  package var contextLength: Int {
    state.withLock { $0.loaded == nil ? 0 : $0.contextLength }
  }

  @discardableResult
  package func load(
    _ model: ModelReference, budget: MemoryBudget,
    progress: @escaping @Sendable (LoadProgress) -> Void
  ) async throws -> ModelDescription {
    state.withLock { $0.calls.append(.load(model)) }
    let contextLength = model.options.contextLength ?? script.contextLength
    try ContextWindow.admit(contextLength, modelLength: script.contextLength)
    if let plan = script.memory { try budget.admit(plan, positions: contextLength) }
    let marker = try budget.beginLoad(path: model.path, name: model.name, byteCount: 0)
    for phase in [LoadProgress.Phase.reading, .preparing, .ready] {
      progress(LoadProgress(phase, done: 1, total: 1))
      try await Task.sleep(for: script.loadDelay)
    }
    if let failure = script.loadFailures[model.name] { throw failure }
    marker?.succeed()
    let description = ModelDescription(
      name: model.name, path: model.path, architecture: "scripted", parameterCount: 0,
      byteCount: 0, layerCount: 0, contextLength: script.contextLength,
      vocabularyCount: ScriptedVocabulary.count, thinking: script.thinking,
      sampling: model.options.sampling)
    state.withLock {
      $0.loaded = description
      $0.contextLength = contextLength
      $0.held = []
    }
    return description
  }

  package func unload() async {
    state.withLock {
      $0.calls.append(.unload)
      $0.loaded = nil
      $0.held = []
    }
  }

  package func cancel() {
    let task = state.withLock { state in
      state.calls.append(.cancel)
      state.isCancelled = state.isGenerating
      return state.task
    }
    task?.cancel()
  }

  package func generate(
    _ prompt: [TokenID], _ parameters: GenerationParameters
  ) -> AsyncThrowingStream<GenerationEvent, any Error> {
    let (stream, continuation) = AsyncThrowingStream<GenerationEvent, any Error>.makeStream()
    let start: Result<ScriptedReply, EngineError> = state.withLock { state in
      state.calls.append(.generate(prompt, parameters))
      guard state.loaded != nil else { return .failure(.notLoaded) }
      guard !state.isGenerating else { return .failure(.busy) }
      guard !prompt.isEmpty else { return .failure(.emptyPrompt) }
      let reused = zip(prompt, state.held).prefix { $0 == $1 }.count
      let index = min(state.replies, script.replies.count - 1)
      state.replies += 1
      state.isGenerating = true
      state.isCancelled = false
      return .success(
        ScriptedReply(
          script: script, steps: script.replies.isEmpty ? [] : script.replies[index],
          prompt: prompt, reused: min(reused, prompt.count - 1), parameters: parameters,
          contextLength: state.contextLength))
    }
    switch start {
    case .failure(let error):
      continuation.finish(throwing: error)
    case .success(let reply):
      let task = Task { await self.run(reply, continuation) }
      continuation.onTermination = { _ in task.cancel() }
      // The call to cancel may have come before there was a task.
      let isCancelled = state.withLock { state in
        if state.isGenerating { state.task = task }
        return state.isCancelled
      }
      if isCancelled { task.cancel() }
    }
    return stream
  }

  private func run(
    _ reply: ScriptedReply,
    _ continuation: AsyncThrowingStream<GenerationEvent, any Error>.Continuation
  ) async {
    var reply = reply
    var failure: (any Error)?
    do {
      try await reply.run { continuation.yield($0) }
    } catch {
      failure = error
    }
    let tokens = reply.tokens
    state.withLock { state in
      state.held = tokens
      state.isGenerating = false
      state.task = nil
    }
    continuation.finish(throwing: failure)
  }

  package func encode(_ text: String, matchingControl: Bool) throws -> [TokenID] {
    guard loaded != nil else { throw EngineError.notLoaded }
    return ScriptedVocabulary.encode(text, matchingControl: matchingControl)
  }

  package func decode(_ tokens: [TokenID], skippingControl: Bool) throws -> String {
    guard loaded != nil else { throw EngineError.notLoaded }
    return ScriptedVocabulary.decode(tokens, skippingControl: skippingControl)
  }

  package func prompt(_ request: PromptRequest) throws -> Prompt {
    guard loaded != nil else { throw EngineError.notLoaded }
    return ScriptedTemplate(thinking: script.thinking).prompt(request)
  }

  package func continuation(
    _ request: PromptRequest, after history: [TokenID]
  ) throws -> Prompt {
    guard loaded != nil else { throw EngineError.notLoaded }
    return ScriptedTemplate(thinking: script.thinking).continuation(request, after: history)
  }
}
