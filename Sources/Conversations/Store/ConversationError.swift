/// Why something cannot be done with a conversation.
package enum ConversationError: Error, Hashable {
  /// No conversation has that identifier, or one that begins so.
  case notFound(String)
  /// Several have one that begins so.
  case ambiguous(String, count: Int)
  /// There is no conversation at all.
  case none
  /// Another process has it open.
  case inUse(ConversationID)
  /// It was written by a later Pipit, and can be read and copied only.
  case newerVersion(ConversationID, version: Int)
  /// Its file could not be read; nil when it was left where it is.
  case damaged(ConversationID, setAside: String?)
  /// It is not in the trash.
  case notDeleted(ConversationID)
  /// A title has nothing that can be shown.
  case emptyTitle
}

extension ConversationError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notFound(let text): "There is no conversation \(text)."
    case .ambiguous(let text, let count):
      "\(count) conversations have an identifier that begins with \(text)."
    case .none: "There is no conversation yet."
    case .inUse(let id): "The conversation \(id.short) is open in another Pipit."
    case .newerVersion(let id, let version):
      """
      The conversation \(id.short) was written by a later Pipit (version \(version) of the form); \
      this one can show and copy it.
      """
    case .damaged(let id, let path?):
      "The conversation \(id.short) was damaged; it is kept as \(path)."
    case .damaged(let id, nil): "The file of the conversation \(id.short) is damaged."
    case .notDeleted(let id): "The conversation \(id.short) is not in the trash."
    case .emptyTitle: "A title needs a character that can be seen."
    }
  }
}
