extension Tokenizer {
  /// Bytes that the tables take, by the number of tokens.
  ///
  /// With scores in the place of merges: the index of pieces, and of each token its start, kind, score
  /// and text (8.2 MB were measured for 262,144 tokens).
  package var byteCount: Int {
    switch model {
    case .byteLevel: Self.byteCount(tokens: count)
    case .characters: PieceIndex.byteCount(capacity: count) + count * 22
    }
  }

  /// Bytes of a tokenizer of which only the number of tokens is known: the index of pieces and the
  /// table of about as many merges, and of each token its start, its kind and some eight bytes.
  package static func byteCount(tokens: Int) -> Int {
    PieceIndex.byteCount(capacity: tokens) + MergeTable.byteCount(capacity: tokens) + tokens * 13
  }
}
