extension Tokenizer {
  /// How a tokenizer makes pieces of text.
  package enum Kind: String, Sendable, Hashable {
    /// Merges the bytes of words.
    case byteLevel = "byte-level BPE"
    /// Merges characters, with bytes for those without a piece.
    case characters = "character BPE"
  }

  package var kind: Kind { fallsBackToBytes ? .characters : .byteLevel }
}
