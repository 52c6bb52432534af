/// What a `ScriptedEngine` does.
package struct EngineScript: Sendable {
  /// A step of a reply.
  package enum Step: Sendable {
    /// Text, whose bytes are the tokens sampled; the tags of thinking are part of it.
    case text(String)
    /// Time that passes; cut short by cancelling.
    case delay(Duration)
    /// The end for a reason other than the end of the turn.
    case stop(StopReason)
    /// An error.
    case failure(any Error)
  }

  /// The replies in order, of which the last one is repeated.
  ///
  /// A reply ends its turn after its last step.
  package var replies: [[Step]]
  package var contextLength: Int
  package var thinking: ThinkingKind
  /// Time for each phase of a load.
  package var loadDelay: Duration
  /// Errors of loading, by the model's name.
  package var loadFailures: [String: any Error]
  /// What a load asks of the memory budget.
  package var memory: MemoryPlan?
  /// Time for each chunk of 64 tokens of the prompt.
  package var prefillDelay: Duration
  /// What the statistics say beside the counts.
  package var statistics: Statistics

  package init(
    replies: [[Step]], contextLength: Int = 4096, thinking: ThinkingKind = .none,
    loadDelay: Duration = .zero, loadFailures: [String: any Error] = [:],
    memory: MemoryPlan? = nil, prefillDelay: Duration = .zero,
    statistics: Statistics = Statistics()
  ) {
    self.replies = replies
    self.contextLength = contextLength
    self.thinking = thinking
    self.loadDelay = loadDelay
    self.loadFailures = loadFailures
    self.memory = memory
    self.prefillDelay = prefillDelay
    self.statistics = statistics
  }
}
