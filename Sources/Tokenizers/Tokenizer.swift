/// Text to token ids and back.
package final class Tokenizer: Sendable {
  /// What the literals of control tokens in a text are.
  package enum ControlTokens: Sendable, Hashable {
    /// The tokens.
    case matched
    /// Plain text. User-defined tokens are matched all the same.
    case text
    /// The tokens, except where `guarding(_:)` has broken them.
    case guarded
  }

  /// Entries of the vocabulary.
  package let count: Int
  package let roles: TokenizerDefinition.Roles

  package init(_ definition: TokenizerDefinition) throws {
    count = definition.pieces.count
    roles = definition.roles
  }

  /// The ids of `text`, without a beginning-of-text token.
  package func encode(_ text: String, _ control: ControlTokens) throws -> [TokenID] {
    []
  }

  /// `content` with every literal of a control token broken, so that `encode(_:.guarded)` makes
  /// none of it.
  package func guarding(_ content: String) -> String {
    content
  }

  /// What an id stands for: a control token's literal, nothing for an id outside the vocabulary.
  package func bytes(of id: TokenID) -> [UInt8] {
    []
  }

  /// The text of `ids`, with U+FFFD for what is not UTF-8.
  package func decode(_ ids: [TokenID], skippingControl: Bool) -> String {
    ""
  }

  package func isControl(_ id: TokenID) -> Bool {
    false
  }

  /// The id whose bytes are exactly those of `piece`.
  package func id(of piece: String) -> TokenID? {
    nil
  }
}
