import Inference
import JSON

/// What a session has open.
package struct ConversationInfo: Sendable, Hashable {
  package var id: ConversationID
  package var title: String
  package var isPinned: Bool
  /// Whether there is a file of it.
  package var isSaved: Bool
}

/// What was found when a conversation was opened.
package struct OpenReport: Sendable {
  package var summary: ConversationSummary
  package var problems: [StoreProblem]
  /// The model that it was going on with, where another one is loaded.
  package var wantedModel: String?
  /// Whether its last reply was cut short.
  package var endsInterrupted: Bool
  /// Why all of it has to be read again, if that is worth a line.
  package var sessionNote: String?
}

extension ChatSession {
  /// The conversation, as others may want to name it; nil when it is not kept.
  package var info: ConversationInfo? {
    guard storage != nil else { return nil }
    return ConversationInfo(
      id: conversation.id, title: conversation.title, isPinned: conversation.isPinned,
      isSaved: saving.documentSize != nil)
  }

  /// Leaves the conversation, and begins an empty one with the same settings.
  ///
  /// Returns sentences about what could not be saved.
  @discardableResult
  package func startNew() async throws -> [String] {
    if isBusy { throw EngineError.busy }
    let problems = await close()
    begin(Conversation(settings: settings), nil)
    return problems
  }

  /// Leaves the conversation, and goes on with another one.
  ///
  /// - Throws: `ConversationError`, `StoreFailure`; the session then stays where it was.
  package func open(_ id: ConversationID) async throws -> OpenReport {
    if isBusy { throw EngineError.busy }
    guard let storage else { throw ChatSessionError.noStore }
    if id == conversation.id, open != nil { return report([], sessionNote: nil) }
    let (open, conversation, problems) = try await storage.open(id)
    _ = await close()
    begin(conversation, open)
    return report(problems, sessionNote: await restoreState())
  }

  /// Leaves the conversation, and goes on with a copy of another one under a new identifier.
  ///
  /// Also of one that another process has open, or that a later Pipit has written. There is a file
  /// of the copy once something has been said or changed.
  ///
  /// - Throws: `ConversationError`, `StoreFailure`; the session then stays where it was.
  package func fork(of id: ConversationID) async throws -> OpenReport {
    if isBusy { throw EngineError.busy }
    guard let storage else { throw ChatSessionError.noStore }
    let other = try await storage.load(id)
    _ = await close()
    begin(other.copy(to: other.tree.leafID), nil)
    return report([], sessionNote: nil)
  }

  /// Goes on in a copy of the active branch, as far as a message, under a new identifier; nothing
  /// has to be read again.
  ///
  /// - Throws: `ChatSessionError.noSuchMessage`, or why the copy cannot be saved.
  package func fork(at id: Int? = nil) async throws -> ConversationInfo? {
    if isBusy { throw EngineError.busy }
    if let id, tree[id] == nil { throw ChatSessionError.noSuchMessage(id) }
    let copy = conversation.copy(to: id ?? tree.leafID)
    _ = await close()
    begin(copy, nil)
    if let failure = await save() { throw failure }
    return info
  }

  /// Saves all there is to save and lets go of the conversation, which then belongs to nobody.
  ///
  /// Returns sentences about what could not be saved.
  @discardableResult
  package func close() async -> [String] {
    var sentences: [String] = []
    if saving.isPending, let failure = await save() { sentences.append("\(failure)") }
    if let sentence = await saveState() { sentences.append(sentence) }
    open = nil
    return sentences
  }

  private func begin(_ conversation: Conversation, _ open: OpenConversation?) {
    self.conversation = conversation
    self.open = open
    saving = SavingState()
    if open != nil { saving.documentSize = 0 }
    lastTurn = nil
  }

  private func report(_ problems: [StoreProblem], sessionNote: String?) -> OpenReport {
    let loaded = engine.loaded?.name
    let wanted = conversation.modelName.flatMap { $0 == loaded ? nil : $0 }
    return OpenReport(
      summary: ConversationSummary(conversation), problems: problems, wantedModel: wanted,
      endsInterrupted: tree.leaf?.isInterrupted ?? false, sessionNote: sessionNote)
  }

  // MARK: Title, pin and trash

  /// Gives the conversation a title.
  ///
  /// - Throws: `ConversationError.emptyTitle`, or why it cannot be saved.
  package func setTitle(_ title: String) async throws {
    guard let title = ConversationTitle.chosen(title) else { throw ConversationError.emptyTitle }
    conversation.chosenTitle = title
    if let failure = await save() { throw failure }
  }

  /// Keeps the conversation at the top of lists, or no more.
  ///
  /// - Throws: why it cannot be saved.
  package func setPinned(_ isPinned: Bool) async throws {
    conversation.isPinned = isPinned
    if let failure = await save() { throw failure }
  }

  /// Moves the conversation to the trash, and begins an empty one.
  ///
  /// - Throws: why it cannot be saved.
  package func deleteConversation() async throws {
    if isBusy { throw EngineError.busy }
    conversation.deleted = .now
    if let failure = await save() {
      conversation.deleted = nil
      throw failure
    }
    open = nil
    begin(Conversation(settings: settings), nil)
  }
}

extension Conversation {
  /// A conversation of its own with the branch that ends with a message.
  func copy(to leafID: Int?) -> Conversation {
    var copy = Conversation(settings: settings)
    copy.chosenTitle = chosenTitle
    copy.modelName = modelName
    copy.tree = ConversationTree(nodes: tree.path(to: leafID))
    copy.record = DocumentRecord(
      members: JSONObject([("forked_from", .string(id.description))]))
    return copy
  }
}
