package import Tokenizers

/// Closes the thinking block when it has taken its share of the tokens.
///
/// Once the budget is used up the tokens of a closing sentence and tag are imposed one after the
/// other, as if the model had written them; then the model goes on by itself.
package struct ThinkingBudget: Sendable {
  private let limit: Int?
  private let closing: [TokenID]
  private var used = 0
  private var imposed = 0

  /// A budget of `limit` tokens of thinking; nil is none.
  ///
  /// `closing` ends with the closing tag.
  package init(limit: Int?, closing: [TokenID]) {
    self.limit = closing.isEmpty ? nil : limit
    self.closing = closing
  }

  /// Whether the block has been closed by force.
  package var hasClosed: Bool { imposed > 0 }

  /// The token to take instead of a sampled one, or nil.
  ///
  /// Asked before each token of the reply, with whether the reply is inside the block.
  package mutating func next(isThinking: Bool) -> TokenID? {
    if imposed > 0, imposed < closing.count {
      imposed += 1
      return closing[imposed - 1]
    }
    guard isThinking, let limit else { return nil }
    guard used >= limit else {
      used += 1
      return nil
    }
    // A block that a forced close did not end (a tag in other tokens) is left alone.
    guard imposed == 0 else { return nil }
    imposed = 1
    return closing[0]
  }

  /// The limit under which an answer still finds room, or nil when there is no need for one.
  ///
  /// A reply of at most `replyTokens` keeps a quarter of them, and at most 256, for the answer.
  package static func limit(
    asked: Int?, replyTokens: Int?, closingCount: Int
  ) -> Int? {
    guard let replyTokens else { return asked }
    let reserve = min(256, replyTokens / 4)
    let room = max(0, replyTokens - reserve - closingCount)
    return min(asked ?? room, room)
  }
}
