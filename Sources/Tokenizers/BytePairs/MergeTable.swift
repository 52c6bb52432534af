/// What a pair of pieces becomes, and how soon: rank in the upper half, the id of the result in
/// the lower, so that the least is the first to be merged.
struct Merge: Sendable, Hashable {
  static let none = Merge(bits: .max)

  let bits: UInt64

  private init(bits: UInt64) {
    self.bits = bits
  }

  init(rank: UInt32, result: TokenID) {
    bits = UInt64(rank) << 32 | UInt64(UInt32(bitPattern: result))
  }

  var rank: UInt32 { UInt32(truncatingIfNeeded: bits >> 32) }
  var result: TokenID { TokenID(bitPattern: UInt32(truncatingIfNeeded: bits)) }
}

/// Says what two neighbours become.
protocol MergeRule {
  /// Ranks are below this.
  var rankCount: Int { get }

  func merge(_ left: TokenID, _ right: TokenID) -> Merge
}

/// Merge rules by their two parts: the rules by rank, and open addressing over ranks.
///
/// Most pairs of a text have no rule, and for those a slot of four bytes is all that is read.
struct MergeTable: MergeRule, Sendable {
  /// Rules that there may be; far above any tokenizer's.
  static let countLimit = 1 << 23

  /// The two parts of each rule.
  private var pairs: [UInt64] = []
  /// What each rule makes.
  private var results: [TokenID] = []
  /// The upper eight bits of a hash and, below them, the rank plus one; 0 for a free slot.
  ///
  /// A power of two of them, at most two thirds full.
  private var slots: [UInt32]
  private let seed: UInt64

  /// For up to `capacity` rules, at most `countLimit`.
  init(capacity: Int) {
    pairs.reserveCapacity(capacity)
    results.reserveCapacity(capacity)
    slots = [UInt32](repeating: 0, count: Self.slotCount(capacity: capacity))
    seed = UInt64.random(in: .min ... .max)
  }

  static func byteCount(capacity: Int) -> Int {
    slotCount(capacity: capacity) * MemoryLayout<UInt32>.stride
      + capacity * (MemoryLayout<UInt64>.stride + MemoryLayout<TokenID>.stride)
  }

  private static func slotCount(capacity: Int) -> Int {
    var size = 16
    while size < capacity + capacity / 2 { size *= 2 }
    return size
  }

  var rankCount: Int { pairs.count }

  /// Adds the rules of the next ranks; the first of two for the same pair counts, and one that is nil
  /// only takes its rank.
  mutating func append(_ rules: [(left: TokenID, right: TokenID, result: TokenID)?]) {
    let first = pairs.count
    // See `MergeBatch`: the second loop finds in the cache what the first has looked at.
    for rule in rules {
      pairs.append(rule.map { Self.pair($0.left, $0.right) } ?? Self.noPair)
      results.append(rule?.result ?? -1)
    }
    let areFree = [Bool](capacity: rules.count) { areFree in
      for rank in first..<pairs.count { areFree.append(slots[slot(hash(pairs[rank]))] == 0) }
    }
    for rank in first..<pairs.count where pairs[rank] != Self.noPair {
      let hash = hash(pairs[rank])
      var slot = slot(hash)
      // One of these rules may have taken it since.
      if !areFree[rank - first] || slots[slot] != 0 {
        let found = find(pairs[rank], hash)
        guard found.merge == .none else { continue }
        slot = found.slot
      }
      slots[slot] = Self.tag(hash) | UInt32(rank + 1)
    }
  }

  @inline(__always)
  func merge(_ left: TokenID, _ right: TokenID) -> Merge {
    let pair = Self.pair(left, right)
    return find(pair, hash(pair)).merge
  }

  private static let rankMask: UInt32 = 0x00FF_FFFF

  private static func tag(_ hash: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: hash >> 32) & ~rankMask
  }

  /// No two ids: they are not negative.
  private static let noPair = UInt64.max

  private static func pair(_ left: TokenID, _ right: TokenID) -> UInt64 {
    UInt64(UInt32(bitPattern: left)) << 32 | UInt64(UInt32(bitPattern: right))
  }

  /// The rule of `pair`, or none and the free slot where it would be.
  @inline(__always)
  private func find(_ pair: UInt64, _ hash: UInt64) -> (merge: Merge, slot: Int) {
    let tag = Self.tag(hash)
    var slot = slot(hash)
    while true {
      let found = slots[slot]
      if found == 0 { return (.none, slot) }
      if found & ~Self.rankMask == tag {
        let rank = Int(found & Self.rankMask) &- 1
        if pairs[rank] == pair {
          return (Merge(rank: UInt32(truncatingIfNeeded: rank), result: results[rank]), slot)
        }
      }
      slot = (slot &+ 1) & (slots.count &- 1)
    }
  }

  @inline(__always)
  private func slot(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (slots.count &- 1) }

  @inline(__always)
  private func hash(_ pair: UInt64) -> UInt64 {
    let product = (pair ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }
}
