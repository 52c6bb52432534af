package import Inference
import Synchronization
import Tokenizers

extension ChatSession {
  /// Hears what happens in a turn; what it throws ends the turn.
  package typealias Listener = @Sendable (GenerationEvent) throws -> Void

  /// Sends a message and follows the reply.
  ///
  /// A message that got no reply (the turn was stopped while the prompt was read) is replaced by
  /// this one and stays as a branch, which the turn tells. A turn that fails before its first token
  /// leaves the conversation as it was; one that fails later, or whose `onEvent` throws, keeps what
  /// was said.
  package func send(_ text: String, onEvent: Listener) async throws -> ChatTurn {
    guard let leaf = tree.leaf, leaf.message.role == .user else {
      return try await ask(text, after: tree.leafID, onEvent: onEvent)
    }
    var turn = try await ask(text, after: leaf.parentID, onEvent: onEvent)
    turn.setAside = try setAside(leaf)
    return turn
  }

  private func setAside(_ node: ConversationTree.Node) throws -> SetAsideMessage? {
    let end = tree.latestLeaf(from: node.id)
    guard let branch = tree.branches.firstIndex(where: { $0.leafID == end }) else { return nil }
    return SetAsideMessage(
      tokens: try engine.encode(node.message.content, matchingControl: false).count,
      hasReplies: end != node.id, branch: branch + 1)
  }

  /// Says one of the user's messages differently, beside the old one, and follows the reply; nil
  /// is the last message of the active branch.
  ///
  /// Fails as `send` does.
  ///
  /// - Throws: `ChatSessionError.nothingToEdit` too.
  package func edit(
    message id: Int? = nil, as text: String, onEvent: Listener
  ) async throws -> ChatTurn {
    let path = tree.path
    let node = id.map { tree[$0] } ?? path.last { $0.message.role == .user }
    guard let node, node.message.role == .user else { throw ChatSessionError.nothingToEdit }
    return try await ask(text, after: node.parentID, onEvent: onEvent)
  }

  /// Answers the last message again, as a sibling of its last reply.
  package func regenerate(onEvent: Listener) async throws -> ChatTurn {
    guard let leaf = tree.leaf else { throw ChatSessionError.nothingToRegenerate }
    return try await turn { () throws(ChatSessionError) in
      guard leaf.message.role == .assistant else { return }
      guard leaf.parentID != nil else { throw .nothingToRegenerate }
      conversation.tree.leafID = leaf.parentID
    } onEvent: {
      try onEvent($0)
    }
  }

  private func ask(
    _ text: String, after parent: Int?, onEvent: Listener
  ) async throws -> ChatTurn {
    try await turn { () throws(ChatSessionError) in
      conversation.tree.append(ChatMessage(.user, text), after: parent, created: .now)
    } onEvent: {
      try onEvent($0)
    }
  }

  /// Prepares the tree, and generates the reply to its leaf.
  private func turn(
    prepare: () throws(ChatSessionError) -> Void, onEvent: Listener
  ) async throws -> ChatTurn {
    try beginTurn()
    defer { endTurn() }
    let before = conversation
    let feed: Feed
    do {
      try prepare()
      feed = try fitted(self.feed())
    } catch {
      takeBack(before)
      throw error
    }
    var parameters = parameters(startsInsideThinking: feed.prompt.startsInsideThinking)
    // With the seed of the replies beside it this one would be one of them.
    parameters.seed &+= UInt64(tree.replies(to: tree.leafID).count)
    var reply = ReplyInProgress(
      parentID: tree.leafID,
      tokens: .init(
        prompt: feed.prompt.tokens, whole: feed.whole,
        startsInsideThinking: feed.prompt.startsInsideThinking, reply: []))
    fedTokens.store(feed.tokens.count, ordering: .relaxed)
    var outcome = await follow(
      engine.generate(feed.tokens, parameters), &reply, onEvent: onEvent)
    // That the conversation was rendered anew is the cause of what the engine then found; the last
    // token of what was there is always read again.
    if let note = feed.note, outcome.statistics.reusedTokens < feed.knownCount - 1 {
      outcome.statistics.reuseNote = note
    }
    if outcome.failure != nil, reply.nodeID == nil { takeBack(before) }
    return try await end(reply, outcome, parameters, dropped: feed.dropped)
  }

  /// Notes how a reply ended, and saves it.
  func end(
    _ reply: ReplyInProgress, _ outcome: Outcome, _ parameters: GenerationParameters,
    dropped: DroppedMessages? = nil
  ) async throws -> ChatTurn {
    if let id = reply.nodeID {
      conversation.tree.update(id) { node in
        node.statistics = node.statistics?.continued(by: outcome.statistics) ?? outcome.statistics
        node.stopReason = outcome.statistics.stopReason
      }
      conversation.updated = .now
    }
    let saveFailure = await save()
    if let failure = outcome.failure { throw failure }
    let message = reply.nodeID.flatMap { tree[$0]?.message } ?? ChatMessage(.assistant, "")
    let turn = ChatTurn(
      reply: message, statistics: outcome.statistics, parameters: parameters,
      dropped: dropped, saveFailure: saveFailure)
    if reply.nodeID != nil { lastTurn = turn }
    await saveStateIfWorthwhile(outcome.statistics)
    return turn
  }

  // MARK: One turn at a time

  func beginTurn() throws {
    if isBusy { throw EngineError.busy }
    isBusy = true
  }

  func endTurn() {
    isBusy = false
    isStopped.store(false, ordering: .sequentiallyConsistent)
  }

  /// Has the conversation be as it was before a turn that came to nothing.
  private func takeBack(_ before: Conversation) {
    conversation.tree = before.tree
    conversation.updated = before.updated
    saving.isPending = true
  }
}
