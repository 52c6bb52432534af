/// Some rules on their way from the texts of a file to ids.
///
/// Each rule needs three places in tables that no cache holds together. Looked up one after another,
/// reading 150,000 rules was two thirds waiting for memory; in steps over many rules their waits
/// overlap, as the processor goes on to the next while it waits for one.
struct MergeBatch: Sendable {
  static let size = 128

  /// The rank of the first rule.
  private let firstRank: Int
  /// The bytes of left, right, left, right and so on.
  private let bytes: [UInt8]
  /// The places of these parts.
  private let parts: [Range<Int>]

  /// Takes the texts of the rules of some ranks.
  init(
    _ ranks: Range<Int>, of merges: TokenizerDefinition.Merges, _ spelling: Spelling
  ) throws(TokenizerError) {
    firstRank = ranks.lowerBound
    var parts: [Range<Int>] = []
    parts.reserveCapacity(2 * ranks.count)
    for rank in ranks {
      let (left, right) = try merges.parts(rank)
      parts.append(left)
      parts.append(right)
    }
    let text = merges.strings.bytes.span
    bytes = [UInt8](capacity: parts.reduce(0) { $0 + $1.count }) { bytes in
      for index in parts.indices {
        let start = bytes.count
        spelling.appendBytes(of: text, parts[index], to: &bytes)
        parts[index] = start..<bytes.count
      }
    }
    self.parts = parts
  }

  /// Finds the ids of the rules and appends them.
  func append(to rules: inout MergeRules, by vocabulary: Vocabulary) throws(TokenizerError) {
    let ids = vocabulary.index.ids(of: bytes.span, parts.span, in: vocabulary.pieces)
    for index in 0..<parts.count / 2 {
      if let result = try result(of: index, ids.span, vocabulary, near: rules.results.last) {
        rules.append(ids[2 * index], ids[2 * index + 1], result: result)
      } else {
        rules.appendNone()
      }
    }
  }

  /// What a rule makes; nil for one that is left out.
  private func result(
    of index: Int, _ ids: Span<TokenID>, _ vocabulary: Vocabulary, near last: TokenID?
  ) throws(TokenizerError) -> TokenID? {
    for part in 2 * index...2 * index + 1 where ids[part] < 0 {
      let bytes = bytes[parts[part]]
      if vocabulary.isControl(bytes) { return nil }
      throw .unknownMergePart(
        rank: firstRank + index, String(decoding: bytes, as: UTF8.self))
    }
    let whole = parts[2 * index].lowerBound..<parts[2 * index + 1].upperBound
    if let result = vocabulary.id(of: bytes.span, whole, guess: (last ?? -1) + 1) {
      return result
    }
    let bytes = bytes[whole]
    if vocabulary.isControl(bytes) { return nil }
    throw .unknownMergeResult(
      rank: firstRank + index, String(decoding: bytes, as: UTF8.self))
  }
}
