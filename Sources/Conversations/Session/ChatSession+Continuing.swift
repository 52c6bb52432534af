package import Inference
import Synchronization
import Tokenizers

extension ChatSession {
  /// Goes on with the last reply, which something cut short; the events are of what is new.
  ///
  /// - Throws: `ChatSessionError.nothingToContinue`, `ChatSessionError.cannotContinue`, or as
  ///   `send` does.
  package func continueReply(
    onEvent: @Sendable (GenerationEvent) throws -> Void
  ) async throws -> ChatTurn {
    guard let leaf = tree.leaf, leaf.canContinue, let turn = leaf.tokens else {
      throw ChatSessionError.nothingToContinue
    }
    guard let history = tree.history(to: leaf.id) else {
      throw ChatSessionError.cannotContinue(reason: "its tokens are not all known")
    }
    if let reason = staleness(of: history) {
      throw ChatSessionError.cannotContinue(reason: reason.rawValue)
    }
    try beginTurn()
    defer { endTurn() }

    // What was generated may have more to it than text: the beginning of a character, or of a tag.
    let whole = try WholeReply(turn, engine)
    conversation.tree.update(leaf.id) { node in
      node.tokens?.reply.removeLast(turn.reply.count - whole.tokenCount)
      whole.complete(&node.message)
      node.stopReason = nil
    }
    var feed = history.tokens
    feed.removeLast(turn.reply.count - whole.tokenCount)
    let parameters = parameters(
      startsInsideThinking: whole.isInsideThinking,
      reasoningTokens: leaf.statistics?.reasoningTokens ?? 0)
    var reply = ReplyInProgress(parentID: leaf.parentID, tokens: turn, nodeID: leaf.id)
    fedTokens.store(feed.count, ordering: .relaxed)
    let outcome = await follow(engine.generate(feed, parameters), &reply, onEvent: onEvent)
    return try await end(reply, outcome, parameters)
  }
}

/// What the tokens of a reply say, up to the last whole character.
private struct WholeReply {
  /// Tokens without those of an unfinished character at the end.
  private(set) var tokenCount: Int
  private(set) var isInsideThinking: Bool
  private var reasoning = ""
  private var answer = ""

  init(_ turn: ConversationTree.TurnTokens, _ engine: any InferenceEngine) throws {
    var tokens = turn.reply
    var text = try engine.decode(tokens, skippingControl: true)
    // A character has at most four bytes, so at most three tokens can be the beginning of one.
    for _ in 0..<3 where text.unicodeScalars.last == "\u{FFFD}" && tokens.count > 1 {
      tokens.removeLast()
      text = try engine.decode(tokens, skippingControl: true)
    }
    if text.unicodeScalars.last == "\u{FFFD}" { tokens = turn.reply }
    tokenCount = tokens.count
    text = try engine.decode(tokens, skippingControl: false)

    var splitter = ThinkingSplitter(startsInside: turn.startsInsideThinking)
    let parts = splitter.append(text).parts
    isInsideThinking = splitter.isInside
    for part in parts + splitter.flush() {
      switch part {
      case .reasoning(let text): reasoning += text
      case .answer(let text): answer += text
      }
    }
  }

  /// Adds to a message what it lacks, if it is a beginning of what the tokens say.
  func complete(_ message: inout ChatMessage) {
    func isBeginning(_ known: String, _ whole: String) -> Bool {
      let known = known.unicodeScalars
      let ends = known.reversed().prefix { $0 == "\u{FFFD}" }.count
      return whole.unicodeScalars.starts(with: known.dropLast(ends))
    }
    guard isBeginning(message.content, answer), isBeginning(message.reasoning ?? "", reasoning)
    else { return }
    message.content = answer
    if !reasoning.isEmpty { message.reasoning = reasoning }
  }
}
