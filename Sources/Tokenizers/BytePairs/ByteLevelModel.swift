/// GPT-2's byte-pair encoding: a text's bytes are the first symbols, and rules of ascending rank
/// merge them.
struct ByteLevelModel: Sendable {
  private static let mergeLimit = 1 << 23

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
    var pieces = ByteStrings(count: spellings.count, byteCount: spellings.bytes.count)
    for id in 0..<spellings.count {
      switch kinds[id] {
      case .normal, .byte:
        alphabet.appendBytes(of: spellings.bytes.span.extracting(spellings.range(id)), to: &pieces)
      case .unknown, .control, .userDefined, .unused:
        pieces.append(spellings[id])
      }
    }
    // A byte-level vocabulary has no entries that stand for a byte in another way.
    let vocabulary = try Vocabulary(pieces, kinds.map { $0 == .byte ? .normal : $0 })
    self.vocabulary = vocabulary
    byteIDs = (UInt8.min...UInt8.max).map { byte in
      vocabulary.id(of: [byte].span, 0..<1) ?? -1
    }
    self.ignoresMerges = ignoresMerges
    self.merges = try Self.table(of: merges, alphabet, vocabulary)
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

  private static func table(
    of merges: TokenizerDefinition.Merges, _ alphabet: ByteLevelAlphabet,
    _ vocabulary: Vocabulary
  ) throws(TokenizerError) -> MergeTable {
    let count = merges.count
    guard count <= mergeLimit else {
      throw .tooMany(of: "merge rules", count: count, limit: mergeLimit)
    }
    var table = MergeTable(capacity: count)
    for rank in 0..<count {
      let (left, right) = try parts(of: merges, rank, alphabet, vocabulary)
      guard let result = vocabulary.index.id(joining: left, right, in: vocabulary.pieces) else {
        let (left, right) = (vocabulary.pieces[Int(left)], vocabulary.pieces[Int(right)])
        throw .unknownMergeResult(rank: rank, String(decoding: left + right, as: UTF8.self))
      }
      table.insert(left, right, Merge(rank: UInt32(rank), result: result))
    }
    return table
  }

  private static func parts(
    of merges: TokenizerDefinition.Merges, _ rank: Int, _ alphabet: ByteLevelAlphabet,
    _ vocabulary: Vocabulary
  ) throws(TokenizerError) -> (TokenID, TokenID) {
    switch merges {
    case .ids(let pairs):
      let (left, right) = pairs[rank]
      for id in [left, right] where !vocabulary.kinds.indices.contains(Int(id)) {
        throw .unknownMergePart(rank: rank, "#\(id)")
      }
      return (left, right)
    case .parts(let strings):
      return (
        try part(strings.bytes.span, strings.range(2 * rank), rank, alphabet, vocabulary),
        try part(strings.bytes.span, strings.range(2 * rank + 1), rank, alphabet, vocabulary)
      )
    case .joined(let strings):
      let text = strings.bytes.span
      let range = strings.range(rank)
      // The alphabet spells the space otherwise, so the space between is the only one.
      guard let space = range.first(where: { text[$0] == 0x20 }) else {
        throw .malformedMerge(rank: rank, strings.text(rank))
      }
      return (
        try part(text, range.lowerBound..<space, rank, alphabet, vocabulary),
        try part(text, space + 1..<range.upperBound, rank, alphabet, vocabulary)
      )
    }
  }

  private static func part(
    _ text: Span<UInt8>, _ range: Range<Int>, _ rank: Int, _ alphabet: ByteLevelAlphabet,
    _ vocabulary: Vocabulary
  ) throws(TokenizerError) -> TokenID {
    var bytes = ByteStrings()
    alphabet.appendBytes(of: text.extracting(range), to: &bytes)
    guard let id = vocabulary.id(of: bytes.bytes.span, bytes.range(0)) else {
      throw .unknownMergePart(
        rank: rank, String(decoding: range.map { text[$0] }, as: UTF8.self))
    }
    return id
  }
}

extension TokenizerDefinition.Merges {
  /// Rules; an odd part at the end is none.
  var count: Int {
    switch self {
    case .joined(let strings): strings.count
    case .parts(let strings): strings.count / 2
    case .ids(let pairs): pairs.count
    }
  }
}
