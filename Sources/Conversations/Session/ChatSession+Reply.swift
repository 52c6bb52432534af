import Inference
import Synchronization
import Tokenizers

/// A reply that is being generated: where it stands in the tree, once it has a token.
struct ReplyInProgress {
  /// The message that it answers.
  var parentID: Int?
  /// What was fed; the reply's own tokens are in the tree.
  var tokens: ConversationTree.TurnTokens
  /// The message that it becomes, or goes on with.
  var nodeID: Int?
}

/// How a stream of events ended.
struct Outcome {
  var statistics = Statistics(stopReason: .error)
  var failure: (any Error)?
}

extension ChatSession {
  /// Puts the events of a stream into the tree as they come, and has them saved.
  func follow(
    _ stream: AsyncThrowingStream<GenerationEvent, any Error>, _ reply: inout ReplyInProgress,
    onEvent: Listener
  ) async -> Outcome {
    var outcome = Outcome()
    var hasFinished = false
    do {
      stopIfAsked()
      for try await event in stream {
        switch event {
        case .prefill: break
        case .reasoning(let text, let tokens):
          take(tokens, &reply) { $0.message.reasoning = ($0.message.reasoning ?? "") + text }
        case .answer(let text, let tokens):
          take(tokens, &reply) { $0.message.content += text }
        case .toolCall(let call, let tokens):
          take(tokens, &reply) { $0.message.toolCalls.append(call) }
        case .finished(let statistics):
          outcome.statistics = statistics
          hasFinished = true
        }
        try onEvent(event)
        if case .prefill = event { stopIfAsked() }
        if !hasFinished { saveSoon(reply) }
      }
      if !hasFinished { outcome.failure = ChatSessionError.endedEarly }
    } catch {
      outcome.failure = error
      engine.cancel()
    }
    return outcome
  }

  /// Adds tokens and what they say; the first ones make the message.
  private func take(
    _ tokens: [TokenID], _ reply: inout ReplyInProgress,
    _ change: (inout ConversationTree.Node) -> Void
  ) {
    if reply.nodeID == nil {
      // Text without a token is of nothing that was sampled.
      if tokens.isEmpty { return }
      let id = conversation.tree.append(
        ChatMessage(.assistant, ""), after: reply.parentID, created: .now)
      let model = engine.loaded.map { ModelStamp($0) }
      conversation.modelName = model?.name ?? conversation.modelName
      conversation.tree.update(id) { node in
        node.model = model
        node.tokens = reply.tokens
      }
      reply.nodeID = id
    }
    guard let id = reply.nodeID else { return }
    conversation.tree.update(id) { node in
      node.tokens?.reply += tokens
      change(&node)
    }
  }

  /// Passes on a `stop()` that came before the engine could hear it.
  private func stopIfAsked() {
    if isStopped.load(ordering: .sequentiallyConsistent) { engine.cancel() }
  }
}

extension Statistics {
  /// The figures of a reply that went on: the prompt's are of its beginning, the end's of its end.
  func continued(by other: Statistics) -> Statistics {
    var sum = other
    sum.promptTokens = promptTokens
    sum.reusedTokens = reusedTokens
    sum.reuseNote = reuseNote
    sum.prefillTokensPerSecond = prefillTokensPerSecond
    sum.timeToFirstToken = timeToFirstToken
    sum.generatedTokens += generatedTokens
    sum.reasoningTokens += reasoningTokens
    sum.duration += duration
    return sum
  }
}
