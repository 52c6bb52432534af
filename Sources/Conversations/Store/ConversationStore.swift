package import Inference

/// The conversations of a folder, shared with other processes.
///
/// A conversation is written by the one process that has it open (`OpenConversation`) and read by
/// any. The work is done on a queue of its own.
package actor ConversationStore {
  nonisolated let files: DurableStore
  nonisolated let sessions: SessionStore?
  nonisolated let executor = QueueExecutor(label: "pipit.conversations")

  /// Conversations whose reply is in a file of its own.
  private var withReplyFile: Set<ConversationID> = []

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// A store in a folder, which is made when something is written; `sessions` are purged with
  /// their conversations.
  package init(
    directory: String, sessions: SessionStore? = nil, system: any SystemCalls = LiveSystem()
  ) {
    files = DurableStore(directory: directory, system: system)
    self.sessions = sessions
  }

  // MARK: Opening

  /// The right to write a conversation that does not exist yet.
  ///
  /// - Throws: `StoreFailure`.
  package func create(_ id: ConversationID) throws -> OpenConversation {
    guard let open = try lock(id) else { throw ConversationError.inUse(id) }
    return open
  }

  /// A conversation to go on with.
  ///
  /// - Throws: `ConversationError`, `StoreFailure`.
  package func open(
    _ id: ConversationID
  ) throws -> (open: OpenConversation, conversation: Conversation, problems: [StoreProblem]) {
    guard try files.status(StoreNames.document(id)) != nil else {
      throw ConversationError.notFound(id.description)
    }
    guard let open = try lock(id) else { throw ConversationError.inUse(id) }
    let found = try examine(id, isLocked: true)
    if let version = found.laterVersion {
      throw ConversationError.newerVersion(id, version: version)
    }
    return (open, found.conversation, found.problems)
  }

  /// A conversation to look at, whoever has it open.
  ///
  /// - Throws: `ConversationError`, `StoreFailure`.
  package func load(_ id: ConversationID) throws -> Conversation {
    try examine(id, isLocked: false).conversation
  }

  func lock(_ id: ConversationID) throws(StoreFailure) -> OpenConversation? {
    try files.lock(StoreNames.lock(id), isRemovedAfterUse: true).map {
      OpenConversation(id: id, lock: $0)
    }
  }

  // MARK: Writing

  /// Writes all of a conversation, and its line of the index if that can be had at once.
  ///
  /// - Throws: `StoreFailure`; the file is then as it was before.
  package func write(
    _ document: [UInt8], _ summary: ConversationSummary, to open: OpenConversation
  ) throws {
    try replace(document, open)
    try? updateIndex(open.id, summary)
  }

  /// Writes a conversation whose reply is under way: its own file and no other.
  ///
  /// - Throws: `StoreFailure`.
  func writeProgress(_ document: [UInt8], to open: OpenConversation) throws {
    try replace(document, open)
  }

  /// Writes the reply that is under way beside its conversation.
  ///
  /// - Throws: `StoreFailure`.
  func writeReply(_ record: [UInt8], to open: OpenConversation) throws {
    withReplyFile.insert(open.id)
    try files.write(StoreNames.reply(open.id), record)
  }

  /// Removes the file of a conversation in which nothing is left to keep.
  ///
  /// - Throws: `StoreFailure`.
  func discard(_ open: OpenConversation) throws {
    try files.remove(StoreNames.reply(open.id))
    try files.remove(StoreNames.document(open.id))
    try? updateIndex(open.id, nil)
  }

  private func replace(_ document: [UInt8], _ open: OpenConversation) throws {
    try files.write(StoreNames.document(open.id), document)
    if withReplyFile.remove(open.id) != nil { try? files.remove(StoreNames.reply(open.id)) }
  }

  func noteReplyFile(_ id: ConversationID) {
    withReplyFile.insert(id)
  }
}
