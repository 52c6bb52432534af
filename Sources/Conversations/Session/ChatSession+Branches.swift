import Inference

extension ChatSession {
  /// All ways through the conversation.
  package var branches: [ConversationTree.Branch] { tree.branches }

  /// Goes on from another message, usually the end of another branch.
  ///
  /// - Throws: `ChatSessionError.noSuchMessage`, `EngineError.busy`.
  package func switchBranch(to id: Int) throws {
    if isBusy { throw EngineError.busy }
    guard tree[id] != nil else { throw ChatSessionError.noSuchMessage(id) }
    conversation.tree.leafID = id
    saving.isPending = true
  }

  /// Goes back to before the last message of the user, which stays as a branch; returns its text,
  /// or nil when there is none.
  ///
  /// - Throws: `EngineError.busy`.
  package func undo() throws -> String? {
    if isBusy { throw EngineError.busy }
    guard let last = tree.path.last(where: { $0.message.role == .user }) else { return nil }
    conversation.tree.leafID = last.parentID
    saving.isPending = true
    return last.message.content
  }
}
