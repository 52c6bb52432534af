extension Tokenizer {
  /// Bytes that the tables take, by the number of tokens.
  ///
  /// Measured on vocabularies of 49,152, 151,936 and 262,144 tokens: with merges of their own, and
  /// with scores in their place.
  package var byteCount: Int {
    switch model {
    case .byteLevel: Self.byteCount(tokens: count)
    case .characters: count * 60
    }
  }

  /// Bytes of a tokenizer of which only the number of tokens is known.
  package static func byteCount(tokens: Int) -> Int { tokens * 200 }
}
