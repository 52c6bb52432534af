extension MergeTable {
  /// The table of a definition's rules.
  ///
  /// Rules that make or take a control token are left out, so that none comes of text.
  init(
    _ merges: TokenizerDefinition.Merges, _ spelling: Spelling, _ vocabulary: Vocabulary
  ) throws(TokenizerError) {
    let count = merges.count
    guard count <= Self.countLimit else {
      throw .tooMany(of: "merge rules", count: count, limit: Self.countLimit)
    }
    self.init(capacity: count)
    var batch = MergeBatch(spelling)
    for first in stride(from: 0, to: count, by: MergeBatch.size) {
      try batch.read(first..<min(first + MergeBatch.size, count), of: merges)
      try batch.resolve(by: vocabulary)
      append(batch.rules)
    }
  }
}

/// Some rules on their way from the texts of a file to ids.
///
/// Each rule needs three places in tables that no cache holds together. Looked up one after another,
/// reading 150,000 rules was two thirds waiting for memory; in steps over many rules their waits
/// overlap, as the processor goes on to the next while it waits for one.
struct MergeBatch {
  static let size = 128

  /// A rule's parts and what they make; nil for one that is left out.
  private(set) var rules: [(left: TokenID, right: TokenID, result: TokenID)?] = []

  private let spelling: Spelling
  /// The rank of the first rule.
  private var firstRank = 0
  /// The bytes of left, right, left, right and so on.
  private var bytes: [UInt8] = []
  /// The places of these parts.
  private var parts: [Range<Int>] = []
  private var ids: [TokenID] = []
  private var last: TokenID = 0

  init(_ spelling: Spelling) {
    self.spelling = spelling
  }

  /// Takes the texts of the rules of some ranks.
  mutating func read(
    _ ranks: Range<Int>, of merges: TokenizerDefinition.Merges
  ) throws(TokenizerError) {
    firstRank = ranks.lowerBound
    bytes.removeAll(keepingCapacity: true)
    var parts: [Range<Int>] = []
    parts.reserveCapacity(2 * ranks.count)
    let text = merges.strings.bytes.span
    for rank in ranks {
      let (left, right) = try merges.parts(rank)
      parts.append(left)
      parts.append(right)
    }
    bytes.append(addingCapacity: parts.reduce(0) { $0 + $1.count }) { bytes in
      for index in parts.indices {
        let start = bytes.count
        spelling.appendBytes(of: text, parts[index], to: &bytes)
        parts[index] = start..<bytes.count
      }
    }
    self.parts = parts
  }

  /// Finds the ids.
  mutating func resolve(by vocabulary: Vocabulary) throws(TokenizerError) {
    ids = vocabulary.index.ids(of: bytes.span, parts.span, in: vocabulary.pieces)
    rules.removeAll(keepingCapacity: true)
    for index in 0..<parts.count / 2 {
      rules.append(try rule(index, vocabulary))
    }
  }

  private mutating func rule(
    _ index: Int, _ vocabulary: Vocabulary
  ) throws(TokenizerError) -> (left: TokenID, right: TokenID, result: TokenID)? {
    for part in 2 * index...2 * index + 1 where ids[part] < 0 {
      let bytes = bytes[parts[part]]
      if vocabulary.isControl(bytes) { return nil }
      throw .unknownMergePart(
        rank: firstRank + index, String(decoding: bytes, as: UTF8.self))
    }
    let whole = parts[2 * index].lowerBound..<parts[2 * index + 1].upperBound
    guard let result = vocabulary.id(of: bytes.span, whole, guess: last + 1) else {
      let bytes = bytes[whole]
      if vocabulary.isControl(bytes) { return nil }
      throw .unknownMergeResult(
        rank: firstRank + index, String(decoding: bytes, as: UTF8.self))
    }
    last = result
    return (ids[2 * index], ids[2 * index + 1], result)
  }
}

extension TokenizerDefinition.Merges {
  /// Rules; an odd part at the end is none.
  fileprivate var count: Int {
    switch self {
    case .joined(let strings): strings.count
    case .parts(let strings): strings.count / 2
    }
  }

  fileprivate var strings: ByteStrings {
    switch self {
    case .joined(let strings), .parts(let strings): strings
    }
  }

  /// The places of a rule's two parts in the bytes of `strings`.
  fileprivate func parts(_ rank: Int) throws(TokenizerError) -> (Range<Int>, Range<Int>) {
    switch self {
    case .parts(let strings):
      return (strings.range(2 * rank), strings.range(2 * rank + 1))
    case .joined(let strings):
      let range = strings.range(rank)
      let text = strings.bytes.span
      // Both spellings write the space otherwise, so the space between is the only one.
      var space = range.lowerBound
      while space < range.upperBound, text[space] != 0x20 { space += 1 }
      guard range.lowerBound < space, space + 1 < range.upperBound else {
        throw .malformedMerge(rank: rank, strings.text(rank))
      }
      return (range.lowerBound..<space, space + 1..<range.upperBound)
    }
  }
}
