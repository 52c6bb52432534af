/// A conversation in which all that was searched for occurs.
package struct SearchHit: Sendable {
  package var summary: ConversationSummary
  /// How well it fits; comparable within one search only.
  package var score: Double
  /// The message that fits best; nil when only the title does.
  package var nodeID: Int?
  /// Occurrences in all messages, of all branches.
  package var matchCount: Int
  package var snippet: Snippet
}
