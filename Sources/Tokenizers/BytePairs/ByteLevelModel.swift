import JSON

/// GPT-2's byte-pair encoding: a text's bytes are the first symbols, and rules of ascending rank
/// merge them.
struct ByteLevelModel: Sendable {
  let vocabulary: Vocabulary
  /// The entry of each byte; −1 for a byte that no entry stands for.
  private let byteIDs: [TokenID]
  private let merges: MergeTable
  /// A whole pre-token that is an entry is not merged.
  private let ignoresMerges: Bool

  init(
    spellings: ByteStrings, kinds: [TokenKind], merges: TokenizerDefinition.Merges,
    ignoresMerges: Bool
  ) throws(TokenizerError) {
    guard kinds.count == spellings.count else {
      throw .countMismatch(of: "token types", count: kinds.count, pieces: spellings.count)
    }
    let alphabet = ByteLevelAlphabet()
    // Rules are half of the work, and most of theirs needs no vocabulary.
    let (entries, texts) = concurrently(
      { Self.vocabulary(spellings, kinds, alphabet) },
      { MergeTexts(merges, .byteLevel(alphabet)) })
    let vocabulary = try entries.get()
    self.vocabulary = vocabulary
    byteIDs = (UInt8.min...UInt8.max).map { byte in
      vocabulary.id(of: [byte].span, 0..<1) ?? -1
    }
    self.ignoresMerges = ignoresMerges
    self.merges = MergeTable(try texts.rules(by: vocabulary))
  }

  private static func vocabulary(
    _ spellings: ByteStrings, _ kinds: [TokenKind], _ alphabet: ByteLevelAlphabet
  ) -> Result<Vocabulary, TokenizerError> {
    let text = spellings.bytes.span
    let pieces = ByteStrings(count: spellings.count, byteCount: text.count) { id, bytes in
      switch kinds[id] {
      case .normal, .byte:
        alphabet.appendBytes(of: text, spellings.range(id), to: &bytes)
      case .unknown, .control, .userDefined, .unused:
        bytes.append(spellings.range(id), of: text)
      }
    }
    // A byte-level vocabulary has no entries that stand for a byte in another way.
    return Result { () throws(TokenizerError) in
      try Vocabulary(pieces, kinds.map { $0 == .byte ? .normal : $0 })
    }
  }

  /// Appends the ids of one pre-token.
  ///
  /// A byte that no entry stands for is left out, as in the tokenizers library when the
  /// vocabulary names no unknown token.
  func encode(
    _ text: Span<UInt8>, _ range: Range<Int>, with merger: inout BytePairMerger,
    into ids: inout [TokenID]
  ) {
    if range.count == 1 {
      let id = byteIDs[Int(text[range.lowerBound])]
      if id >= 0 { ids.append(id) }
      return
    }
    if ignoresMerges, let id = vocabulary.id(of: text, range) {
      ids.append(id)
      return
    }
    merger.begin()
    for position in range {
      let id = byteIDs[Int(text[position])]
      if id >= 0 { merger.append(id) }
    }
    merger.finish(by: merges, into: &ids)
  }
}
