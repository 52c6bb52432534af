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
        alphabet.appendBytes(of: spellings.bytes.span, spellings.range(id), to: &pieces)
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
    let parts = try parts(of: merges, alphabet)
    var table = MergeTable(capacity: count)
    var last: TokenID = 0
    for rank in 0..<count {
      let (left, right) = try pair(rank, of: merges, parts, vocabulary)
      guard let result = vocabulary.id(joining: left, right, guess: last + 1) else {
        let (left, right) = (vocabulary.pieces[Int(left)], vocabulary.pieces[Int(right)])
        throw .unknownMergeResult(rank: rank, String(decoding: left + right, as: UTF8.self))
      }
      last = result
      table.insert(left, right, Merge(rank: UInt32(rank), result: result))
    }
    return table
  }

  private static func pair(
    _ rank: Int, of merges: TokenizerDefinition.Merges, _ parts: ByteStrings,
    _ vocabulary: Vocabulary
  ) throws(TokenizerError) -> (TokenID, TokenID) {
    if case .ids(let pairs) = merges {
      let (left, right) = pairs[rank]
      for id in [left, right] where !vocabulary.kinds.indices.contains(Int(id)) {
        throw .unknownMergePart(rank: rank, "#\(id)")
      }
      return (left, right)
    }
    let bytes = parts.bytes.span
    guard let left = vocabulary.id(of: bytes, parts.range(2 * rank)) else {
      throw .unknownMergePart(rank: rank, parts.text(2 * rank))
    }
    guard let right = vocabulary.id(of: bytes, parts.range(2 * rank + 1)) else {
      throw .unknownMergePart(rank: rank, parts.text(2 * rank + 1))
    }
    return (left, right)
  }

  /// The bytes of the two parts of each rule; nothing for rules that are given as ids.
  private static func parts(
    of merges: TokenizerDefinition.Merges, _ alphabet: ByteLevelAlphabet
  ) throws(TokenizerError) -> ByteStrings {
    switch merges {
    case .ids:
      return ByteStrings()
    case .parts(let strings):
      var parts = ByteStrings(count: strings.count, byteCount: strings.bytes.count)
      for index in 0..<strings.count {
        alphabet.appendBytes(of: strings.bytes.span, strings.range(index), to: &parts)
      }
      return parts
    case .joined(let strings):
      var parts = ByteStrings(count: 2 * strings.count, byteCount: strings.bytes.count)
      for rank in 0..<strings.count {
        let range = strings.range(rank)
        let text = strings.bytes.span
        // The alphabet spells the space otherwise, so the space between is the only one.
        var space = range.lowerBound
        while space < range.upperBound, text[space] != 0x20 { space += 1 }
        guard range.lowerBound < space, space + 1 < range.upperBound else {
          throw .malformedMerge(rank: rank, strings.text(rank))
        }
        alphabet.appendBytes(of: text, range.lowerBound..<space, to: &parts)
        alphabet.appendBytes(of: text, space + 1..<range.upperBound, to: &parts)
      }
      return parts
    }
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
