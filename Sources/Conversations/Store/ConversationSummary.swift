/// What a list shows of a conversation.
package struct ConversationSummary: Sendable, Hashable, Identifiable {
  package let id: ConversationID
  package var title: String
  package var created: Timestamp
  /// When something was last said or changed.
  package var updated: Timestamp
  /// The name of the model that it goes on with.
  package var model: String?
  /// Messages on all branches.
  package var messageCount: Int
  package var branchCount: Int
  package var isPinned: Bool
  /// When it was moved to the trash.
  package var deleted: Timestamp?

  package init(
    id: ConversationID, title: String, created: Timestamp, updated: Timestamp, model: String?,
    messageCount: Int, branchCount: Int, isPinned: Bool, deleted: Timestamp?
  ) {
    self.id = id
    self.title = title
    self.created = created
    self.updated = updated
    self.model = model
    self.messageCount = messageCount
    self.branchCount = branchCount
    self.isPinned = isPinned
    self.deleted = deleted
  }

  package init(_ conversation: Conversation) {
    let tree = conversation.tree
    let parents = Set(tree.nodes.compactMap(\.parentID))
    self.init(
      id: conversation.id, title: conversation.title, created: conversation.created,
      updated: conversation.updated, model: conversation.modelName,
      messageCount: tree.nodes.count,
      branchCount: tree.nodes.count { !parents.contains($0.id) },
      isPinned: conversation.isPinned, deleted: conversation.deleted)
  }
}
