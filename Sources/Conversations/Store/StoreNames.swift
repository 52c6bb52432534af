/// The names of a store's files.
enum StoreNames {
  static let index = "index.json"
  static let indexLock = "index.lock"

  private static let prefix = "conversation-"
  private static let suffix = ".json"

  static func document(_ id: ConversationID) -> String { prefix + id.description + suffix }

  /// Where a reply is kept while it grows, of a conversation too large to be written each time.
  static func reply(_ id: ConversationID) -> String { prefix + id.description + ".reply.json" }

  static func lock(_ id: ConversationID) -> String { prefix + id.description + ".lock" }

  /// The conversation whose document has that name.
  static func documentID(_ name: String) -> ConversationID? { id(name, suffix: suffix) }

  /// The conversation whose lock has that name.
  static func lockID(_ name: String) -> ConversationID? { id(name, suffix: ".lock") }

  private static func id(_ name: String, suffix: String) -> ConversationID? {
    guard name.utf8.count == prefix.utf8.count + 36 + suffix.utf8.count, name.hasPrefix(prefix),
      name.hasSuffix(suffix)
    else { return nil }
    let text = String(name.dropFirst(prefix.count).dropLast(suffix.count))
    // Another spelling would be another file of the same conversation.
    return ConversationID(text).flatMap { $0.description == text ? $0 : nil }
  }
}
