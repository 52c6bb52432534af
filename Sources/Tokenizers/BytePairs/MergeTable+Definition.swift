extension MergeTable {
  private static let limit = 1 << 23

  /// The table of a definition's rules.
  ///
  /// Rules that make or take a control token are left out, so that none comes of text.
  init(
    _ merges: TokenizerDefinition.Merges, _ spelling: Spelling, _ vocabulary: Vocabulary
  ) throws(TokenizerError) {
    let count = merges.count
    guard count <= Self.limit else {
      throw .tooMany(of: "merge rules", count: count, limit: Self.limit)
    }
    let parts = try Self.parts(of: merges, spelling)
    self.init(capacity: count)
    var last: TokenID = 0
    for rank in 0..<count {
      guard let (left, right) = try Self.pair(rank, parts, vocabulary) else {
        continue
      }
      guard let result = vocabulary.id(joining: left, right, guess: last + 1) else {
        let bytes = vocabulary.pieces[Int(left)] + vocabulary.pieces[Int(right)]
        if vocabulary.isControl(bytes) { continue }
        throw .unknownMergeResult(rank: rank, String(decoding: bytes, as: UTF8.self))
      }
      last = result
      insert(left, right, Merge(rank: UInt32(rank), result: result))
    }
  }

  /// The ids that a rule joins; nil if one is a control token's.
  private static func pair(
    _ rank: Int, _ parts: ByteStrings, _ vocabulary: Vocabulary
  ) throws(TokenizerError) -> (TokenID, TokenID)? {
    let bytes = parts.bytes.span
    var ids: (TokenID, TokenID) = (0, 0)
    for side in 0...1 {
      let range = parts.range(2 * rank + side)
      guard let id = vocabulary.id(of: bytes, range) else {
        if vocabulary.isControl(parts[2 * rank + side]) { return nil }
        throw .unknownMergePart(rank: rank, parts.text(2 * rank + side))
      }
      if side == 0 { ids.0 = id } else { ids.1 = id }
    }
    return ids
  }

  /// The bytes of the two parts of each rule.
  private static func parts(
    of merges: TokenizerDefinition.Merges, _ spelling: Spelling
  ) throws(TokenizerError) -> ByteStrings {
    switch merges {
    case .parts(let strings):
      var parts = ByteStrings(count: strings.count, byteCount: strings.bytes.count)
      for index in 0..<strings.count {
        spelling.appendBytes(of: strings.bytes.span, strings.range(index), to: &parts)
      }
      return parts
    case .joined(let strings):
      var parts = ByteStrings(count: 2 * strings.count, byteCount: strings.bytes.count)
      for rank in 0..<strings.count {
        let range = strings.range(rank)
        let text = strings.bytes.span
        // Both spellings write the space otherwise, so the space between is the only one.
        var space = range.lowerBound
        while space < range.upperBound, text[space] != 0x20 { space += 1 }
        guard range.lowerBound < space, space + 1 < range.upperBound else {
          throw .malformedMerge(rank: rank, strings.text(rank))
        }
        spelling.appendBytes(of: text, range.lowerBound..<space, to: &parts)
        spelling.appendBytes(of: text, space + 1..<range.upperBound, to: &parts)
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
    }
  }
}
