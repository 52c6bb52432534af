import Inference

extension ConversationStore {
  /// Gives a conversation a title.
  ///
  /// - Throws: `ConversationError`, `StoreFailure`; so do all of these.
  package func rename(_ id: ConversationID, to title: String) throws {
    guard let title = ConversationTitle.chosen(title) else { throw ConversationError.emptyTitle }
    try change(id) { $0.chosenTitle = title }
  }

  package func setPinned(_ id: ConversationID, _ isPinned: Bool) throws {
    try change(id) { $0.isPinned = isPinned }
  }

  /// Moves a conversation to the trash, out of which it can be taken again.
  package func delete(_ id: ConversationID) throws {
    try change(id) { $0.deleted = $0.deleted ?? .now }
  }

  /// Takes a conversation out of the trash.
  package func restore(_ id: ConversationID) throws {
    try change(id) { conversation in
      if conversation.deleted == nil { throw ConversationError.notDeleted(id) }
      conversation.deleted = nil
    }
  }

  /// Takes out of the trash what was moved there last; nil when it is empty.
  package func undoDelete() throws -> ConversationSummary? {
    let trash = try list(includingDeleted: true).summaries
    guard
      let last = trash.filter({ $0.deleted != nil })
        .max(by: { ($0.deleted ?? $0.created) < ($1.deleted ?? $1.created) })
    else { return nil }
    try restore(last.id)
    return last
  }

  /// Removes a conversation for good, with what models have read of it and with what was set aside
  /// of it.
  package func purge(_ id: ConversationID) throws {
    let document = StoreNames.document(id)
    guard try files.status(document) != nil else {
      throw ConversationError.notFound(id.description)
    }
    guard let open = try lock(id) else { throw ConversationError.inUse(id) }
    try withExtendedLifetime(open) {
      sessions?.remove(id.description)
      for name in try files.names() where name.hasPrefix(document + ".corrupt-") {
        try files.remove(name)
      }
      try files.remove(StoreNames.reply(id))
      try files.remove(document)
      try? updateIndex(id, nil)
    }
  }

  private func change(
    _ id: ConversationID, _ body: (inout Conversation) throws -> Void
  ) throws {
    var (open, conversation, _) = try self.open(id)
    try body(&conversation)
    let document = conversation.encodeDocument()
    try write(document, ConversationSummary(conversation), to: open)
    _ = open
  }
}
