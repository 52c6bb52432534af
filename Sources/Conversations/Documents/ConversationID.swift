import FoundationEssentials

/// What a conversation is known by, for good: a random UUID.
package struct ConversationID: Sendable, Hashable, CustomStringConvertible {
  /// In lower case.
  package let description: String

  /// A new one.
  package init() {
    description = UUID().uuidString.lowercased()
  }

  /// The identifier that a text is; nil if it is not the text of a UUID.
  package init?(_ text: String) {
    guard text.utf8.count == 36, UUID(uuidString: text) != nil else { return nil }
    description = text.lowercased()
  }

  /// The beginning that is shown where all of it would be in the way: 8 characters.
  package var short: String { String(description.prefix(8)) }
}
