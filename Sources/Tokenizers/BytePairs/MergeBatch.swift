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
  /// Where each of these parts starts, and one past the end of the last: all batches are held at once,
  /// so that they are four bytes each.
  private let starts: [UInt32]

  /// Takes the texts of the rules of some ranks.
  init(
    _ ranks: Range<Int>, of merges: TokenizerDefinition.Merges, _ spelling: Spelling
  ) throws(TokenizerError) {
    firstRank = ranks.lowerBound
    let text = merges.strings.bytes.span
    var byteCount = 0
    for rank in ranks {
      let (left, right) = try merges.parts(rank)
      byteCount += left.count + right.count
    }
    var starts: [UInt32] = [0]
    starts.reserveCapacity(2 * ranks.count + 1)
    bytes = try [UInt8](capacity: byteCount) { bytes throws(TokenizerError) in
      for rank in ranks {
        let (left, right) = try merges.parts(rank)
        spelling.appendBytes(of: text, left, to: &bytes)
        starts.append(UInt32(bytes.count))
        spelling.appendBytes(of: text, right, to: &bytes)
        starts.append(UInt32(bytes.count))
      }
    }
    self.starts = starts
  }

  /// Finds the ids of the rules and appends them.
  func append(to rules: inout MergeRules, by vocabulary: Vocabulary) throws(TokenizerError) {
    let ids = vocabulary.index.ids(of: bytes.span, at: starts.span, in: vocabulary.pieces)
    for index in 0..<starts.count / 2 {
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
      let bytes = bytes[place(part)]
      if vocabulary.isControl(bytes) { return nil }
      throw .unknownMergePart(
        rank: firstRank + index, String(decoding: bytes, as: UTF8.self))
    }
    let whole = Int(starts[2 * index])..<Int(starts[2 * index + 2])
    if let result = vocabulary.id(of: bytes.span, whole, guess: (last ?? -1) + 1) {
      return result
    }
    let bytes = bytes[whole]
    if vocabulary.isControl(bytes) { return nil }
    throw .unknownMergeResult(
      rank: firstRank + index, String(decoding: bytes, as: UTF8.self))
  }

  private func place(_ part: Int) -> Range<Int> {
    Int(starts[part])..<Int(starts[part + 1])
  }
}
