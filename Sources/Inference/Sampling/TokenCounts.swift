internal import Tokenizers

/// How often tokens occur in the prompt and in the reply so far, for the penalties.
struct TokenCounts: Sendable {
  /// Distinct tokens that occur, in the order of their first occurrence.
  private(set) var distinct: [TokenID] = []
  /// Of every token in the vocabulary: its occurrences in the reply, plus whether it occurs at all
  /// in the highest bit.
  private var marks: [UInt32]

  private static let seen: UInt32 = 1 << 31

  /// `capacity` distinct tokens find room without allocating.
  init(vocabularyCount: Int, capacity: Int) {
    marks = Array(repeating: 0, count: vocabularyCount)
    distinct.reserveCapacity(min(capacity, vocabularyCount))
  }

  mutating func record(_ token: TokenID, isReply: Bool) {
    guard let index = Int(exactly: token), marks.indices.contains(index) else { return }
    if marks[index] & Self.seen == 0 {
      marks[index] |= Self.seen
      distinct.append(token)
    }
    if isReply, marks[index] & ~Self.seen < Self.seen - 1 { marks[index] += 1 }
  }

  /// Occurrences of a token in the reply.
  func replyCount(of token: TokenID) -> Int {
    Int(marks[Int(token)] & ~Self.seen)
  }
}
