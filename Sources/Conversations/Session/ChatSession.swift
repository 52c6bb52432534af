package import Inference
import Synchronization
import Tokenizers

/// Drives one conversation with an engine, and keeps it if there is a store.
///
/// Tokens are kept as they were fed and sampled, and a turn adds only its own: the text that the
/// template puts between the last reply and the next one. The conversation is rendered whole when
/// there is nothing to follow, when the system prompt or the model is another than that of the
/// tokens, or when the template cannot continue; the statistics of the turn then say so.
package actor ChatSession {
  /// The engine; its `cancel()` stops a turn from any thread.
  package nonisolated let engine: any InferenceEngine
  /// Where the conversation is kept; nil for nowhere.
  package nonisolated let storage: ConversationStore?
  package internal(set) var conversation: Conversation
  /// The last turn of this session.
  package internal(set) var lastTurn: ChatTurn?

  /// The right to write the conversation, from the first time on that it is saved.
  var open: OpenConversation?
  /// What is still to be saved, and when it was last.
  var saving = SavingState()
  var isBusy = false
  /// Set by `stop()`, which may come before the engine has begun.
  nonisolated let isStopped = Atomic(false)
  nonisolated let fedTokens = Atomic(0)

  /// A session with an empty conversation, which is saved from its first message on.
  package init(
    engine: any InferenceEngine, settings: ChatSettings, storage: ConversationStore? = nil
  ) {
    self.engine = engine
    self.storage = storage
    conversation = Conversation(settings: settings)
  }

  package var settings: ChatSettings { conversation.settings }
  package var tree: ConversationTree { conversation.tree }

  /// Stops the turn that is under way, in the prompt too; what was said is kept.
  package nonisolated func stop() {
    isStopped.store(true, ordering: .sequentiallyConsistent)
    engine.cancel()
  }

  /// Forgets a `stop()` that came when there was nothing to stop.
  package nonisolated func forgetStop() {
    isStopped.store(false, ordering: .sequentiallyConsistent)
  }

  /// Tokens of the prompt of the turn that is under way, or of the last one; 0 before any.
  package nonisolated var promptTokens: Int { fedTokens.load(ordering: .relaxed) }

  // MARK: Settings

  /// Changes the system prompt of the whole conversation, which is then read anew.
  package func setSystem(_ system: String?) {
    conversation.settings.system = system
    noteSettings()
  }

  /// Whether the next replies begin with thinking, in a model that can switch.
  package func setThinking(_ isThinking: Bool) {
    conversation.settings.isThinking = isThinking
    noteSettings()
  }

  /// Changes what the next replies are made with.
  package func setSettings(_ settings: ChatSettings) {
    conversation.settings = settings
    noteSettings()
  }

  private func noteSettings() {
    saving.isPending = true
  }

  /// Replaces the model; if that fails the old one stays.
  ///
  /// What the old one has read is saved before. The conversation's tokens are those of the old
  /// model: its next turn reads all of it.
  package func loadModel(
    _ model: ModelReference, budget: MemoryBudget,
    progress: @escaping @Sendable (LoadProgress) -> Void
  ) async throws -> ModelDescription {
    if isBusy { throw EngineError.busy }
    _ = await saveState()
    return try await engine.load(model, budget: budget, progress: progress)
  }
}
