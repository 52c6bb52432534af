/// The rules of a definition as the bytes that their parts stand for, which is what can be had of them
/// before there is a vocabulary.
struct MergeTexts: Sendable {
  /// The rules up to the first that cannot be read.
  private var batches: [MergeBatch] = []
  /// Why a rule cannot be read.
  private var failure: TokenizerError?
  private let count: Int

  init(_ merges: TokenizerDefinition.Merges, _ spelling: Spelling) {
    count = merges.count
    guard count <= MergeTable.countLimit else {
      failure = .tooMany(of: "merge rules", count: count, limit: MergeTable.countLimit)
      return
    }
    batches.reserveCapacity(count / MergeBatch.size + 1)
    do throws(TokenizerError) {
      for first in stride(from: 0, to: count, by: MergeBatch.size) {
        batches.append(
          try MergeBatch(first..<min(first + MergeBatch.size, count), of: merges, spelling))
      }
    } catch {
      failure = error
    }
  }

  /// The rules by ids.
  ///
  /// Those that make or take a control token are left out, so that none comes of text.
  ///
  /// - Throws: what is wrong with the first batch with which something is.
  func rules(by vocabulary: Vocabulary) throws(TokenizerError) -> MergeRules {
    let middle = batches.count / 2
    let (first, second) = concurrently(
      { resolve(0..<middle, by: vocabulary, capacity: count) },
      {
        resolve(
          middle..<batches.count, by: vocabulary, capacity: count - middle * MergeBatch.size)
      })
    var rules = try first.get()
    rules.append(try second.get())
    if let failure { throw failure }
    return rules
  }

  private func resolve(
    _ range: Range<Int>, by vocabulary: Vocabulary, capacity: Int
  ) -> Result<MergeRules, TokenizerError> {
    Result { () throws(TokenizerError) in
      var rules = MergeRules(capacity: capacity)
      for index in range { try batches[index].append(to: &rules, by: vocabulary) }
      return rules
    }
  }
}
