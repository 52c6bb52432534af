import JSON

/// SentencePiece's byte-pair encoding: a text's characters are the first symbols, and what has no
/// piece becomes its bytes, `<0xNN>`.
///
/// Pieces spell the space as U+2581; here both the pieces and the text have spaces, and a U+2581
/// of the text is one too, as it is for SentencePiece.
struct CharacterModel: Sendable {
  /// Which neighbours merge first.
  enum Rule: Sendable {
    /// Those that make the piece of the best score.
    case scores(ScoreRule)
    /// Those of the first rule in a list.
    case ranks(MergeTable)
  }

  let vocabulary: Vocabulary
  let addsSpacePrefix: Bool
  private let rule: Rule
  /// The piece of each byte; −1 for a byte that has none.
  private let byteIDs: [TokenID]
  private let unknownID: TokenID?

  init(
    _ definition: TokenizerDefinition, _ order: TokenizerDefinition.CharacterOrder,
    addsSpacePrefix: Bool
  ) throws(TokenizerError) {
    let (spellings, kinds) = (definition.pieces, definition.kinds)
    guard kinds.count == spellings.count else {
      throw .countMismatch(of: "token types", count: kinds.count, pieces: spellings.count)
    }
    var byteIDs = [TokenID](repeating: -1, count: 256)
    let text = spellings.bytes.span
    let pieces = try ByteStrings(
      count: spellings.count, byteCount: text.count
    ) { id, bytes throws(TokenizerError) in
      switch kinds[id] {
      case .normal, .userDefined:
        Spelling.spaceSymbol.appendBytes(of: text, spellings.range(id), to: &bytes)
      case .byte:
        guard let byte = Self.byte(spelledBy: spellings[id]) else {
          throw .malformedByte(id: id, spellings.text(id))
        }
        bytes.append(byte)
        byteIDs[Int(byte)] = TokenID(id)
      case .unknown, .control, .unused:
        bytes.append(spellings.range(id), of: text)
      }
    }
    let vocabulary = try Vocabulary(pieces, kinds)
    self.vocabulary = vocabulary
    self.byteIDs = byteIDs
    self.addsSpacePrefix = addsSpacePrefix
    unknownID = kinds.firstIndex(of: .unknown).map { TokenID($0) }
    switch order {
    case .scores(let scores):
      rule = .scores(try ScoreRule(scores, vocabulary))
    case .merges(let merges):
      rule = .ranks(MergeTable(try MergeTexts(merges, .spaceSymbol).rules(by: vocabulary)))
    }
  }

  /// The byte of a spelling like `<0x0A>`.
  static func byte(spelledBy spelling: ArraySlice<UInt8>) -> UInt8? {
    guard spelling.count == 6, spelling.starts(with: "<0x".utf8), spelling.last == 0x3E else {
      return nil
    }
    let digits = String(decoding: spelling.dropFirst(3).dropLast(), as: UTF8.self)
    return digits.first == "+" ? nil : UInt8(digits, radix: 16)
  }

  /// Appends the ids of the text between two special tokens.
  func encode(
    _ text: Span<UInt8>, with merger: inout BytePairMerger, into ids: inout [TokenID]
  ) {
    merger.begin()
    if addsSpacePrefix { appendCharacter(of: [0x20].span, 0..<1, to: &merger) }
    let space: [UInt8] = [0x20]
    var position = 0
    while position < text.count {
      if Spelling.isSpaceSymbol(text, at: position, endingAt: text.count) {
        appendCharacter(of: space.span, 0..<1, to: &merger)
        position += 3
        continue
      }
      var end = position + 1
      while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
      appendCharacter(of: text, position..<end, to: &merger)
      position = end
    }
    switch rule {
    case .scores(let rule): merger.finish(by: rule, into: &ids)
    case .ranks(let rule): merger.finish(by: rule, into: &ids)
    }
  }

  private func appendCharacter(
    of text: Span<UInt8>, _ range: Range<Int>, to merger: inout BytePairMerger
  ) {
    if let id = vocabulary.id(of: text, range) {
      merger.append(id)
      return
    }
    for position in range {
      let id = byteIDs[Int(text[position])]
      if id >= 0 {
        merger.append(id)
      } else if let unknownID {
        merger.append(unknownID)
        return
      }
    }
  }
}

/// Neighbours become the piece that has the bytes of both, and the best score goes first.
struct ScoreRule: MergeRule, Sendable {
  let rankCount: Int
  private let vocabulary: Vocabulary
  /// The place of each piece's score among all scores, the best being 0.
  ///
  /// Equal scores have equal
  /// places, so that the leftmost of them goes first.
  private let ranks: [UInt32]
  private let longest: Int

  init(_ scores: [Float], _ vocabulary: Vocabulary) throws(TokenizerError) {
    guard scores.count == vocabulary.count else {
      throw .countMismatch(of: "scores", count: scores.count, pieces: vocabulary.count)
    }
    if let id = scores.firstIndex(where: { $0.isNaN }) { throw .invalidScore(id: id) }
    var ranks = [UInt32](repeating: 0, count: scores.count)
    var rank: UInt32 = 0
    var previous: Int?
    for id in scores.indices.sorted(by: { scores[$0] > scores[$1] }) {
      if let previous, scores[previous] != scores[id] { rank += 1 }
      ranks[id] = rank
      previous = id
    }
    self.ranks = ranks
    rankCount = Int(rank) + 1
    self.vocabulary = vocabulary
    longest = (0..<vocabulary.count).map { vocabulary.pieces.range($0).count }.max() ?? 0
  }

  func merge(_ left: TokenID, _ right: TokenID) -> Merge {
    guard vocabulary.isText(left), vocabulary.isText(right) else { return .none }
    let count =
      vocabulary.pieces.range(Int(left)).count + vocabulary.pieces.range(Int(right)).count
    guard count <= longest,
      let id = vocabulary.index.id(joining: left, right, in: vocabulary.pieces)
    else { return .none }
    return Merge(rank: ranks[Int(id)], result: id)
  }
}
