package typealias TokenID = Int32

/// Everything a tokenizer is made of, as a model file says it.
///
/// Nothing is checked before `Tokenizer.init`.
package struct TokenizerDefinition: Sendable {
  /// How text between special tokens becomes pieces.
  package enum Model: Sendable {
    /// GPT-2's: bytes spelled with printable characters, merged by rank.
    case byteLevel(merges: Merges, ignoresMerges: Bool)
    /// SentencePiece's: characters, with U+2581 for the space, merged in some order, and `<0xNN>`
    /// for what has no piece.
    case characters(CharacterOrder, addsSpacePrefix: Bool)
  }

  /// Which characters merge first.
  package enum CharacterOrder: Sendable {
    /// Those that make the piece of the best score, one score per piece.
    case scores([Float])
    case merges(Merges)
  }

  /// Merge rules in ascending rank.
  package enum Merges: Sendable {
    /// `left right`, one string per rule, as in GGUF.
    case joined(ByteStrings)
    /// Left, right, left, right, …
    case parts(ByteStrings)
  }

  package enum Normaliser: Sendable, Hashable {
    case none
    case nfc
  }

  /// Ids that the file gives a role.
  package struct Roles: Sendable, Hashable {
    package var beginning: TokenID?
    package var end: TokenID?
    package var endOfTurn: TokenID?
    package var endOfMessage: TokenID?
    package var unknown: TokenID?
    package var padding: TokenID?
    /// A prompt without a template starts with `beginning`.
    package var addsBeginning = false

    package init() {}
  }

  package var model: Model
  /// Pieces in id order, spelled as in the file.
  package var pieces: ByteStrings
  /// One per piece.
  package var kinds: [TokenKind]
  package var preTokenizer: PreTokenizer
  package var normaliser: Normaliser
  package var roles: Roles

  package init(
    model: Model, pieces: ByteStrings, kinds: [TokenKind], preTokenizer: PreTokenizer,
    normaliser: Normaliser = .none, roles: Roles = Roles()
  ) {
    self.model = model
    self.pieces = pieces
    self.kinds = kinds
    self.preTokenizer = preTokenizer
    self.normaliser = normaliser
    self.roles = roles
  }
}
