/// Rules of consecutive ranks, by ids.
struct MergeRules: Sendable {
  /// The two parts of each rule; `noPair` for a rank without one.
  private(set) var pairs: [UInt64] = []
  /// What each rule makes; −1 for a rank without one.
  private(set) var results: [TokenID] = []

  /// Room for `capacity` rules.
  init(capacity: Int) {
    pairs.reserveCapacity(capacity)
    results.reserveCapacity(capacity)
  }

  mutating func append(_ left: TokenID, _ right: TokenID, result: TokenID) {
    pairs.append(Self.pair(left, right))
    results.append(result)
  }

  /// A rank without a rule.
  mutating func appendNone() {
    pairs.append(Self.noPair)
    results.append(-1)
  }

  mutating func append(_ others: MergeRules) {
    pairs.append(contentsOf: others.pairs)
    results.append(contentsOf: others.results)
  }

  /// No two ids: they are not negative.
  static let noPair = UInt64.max

  @inline(__always)
  static func pair(_ left: TokenID, _ right: TokenID) -> UInt64 {
    UInt64(UInt32(bitPattern: left)) << 32 | UInt64(UInt32(bitPattern: right))
  }
}
