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

  private let rules: MergeRules
  /// The upper eight bits of a hash and, below them, the rank plus one; 0 for a free slot.
  ///
  /// A power of two of them, at most two thirds full.
  private var slots: [UInt32]
  private let seed: UInt64

  /// The table of some rules, at most `countLimit`; the first of two for the same pair counts.
  init(_ rules: MergeRules) {
    self.rules = rules
    slots = [UInt32](repeating: 0, count: Self.slotCount(capacity: rules.pairs.count))
    seed = UInt64.random(in: .min ... .max)
    for first in stride(from: 0, to: rules.pairs.count, by: MergeBatch.size) {
      enter(first..<min(first + MergeBatch.size, rules.pairs.count))
    }
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

  var rankCount: Int { rules.pairs.count }

  /// Enters the rules of some ranks.
  private mutating func enter(_ ranks: Range<Int>) {
    // See `MergeBatch`: the second loop finds in the cache what the first has looked at.
    let areFree = [Bool](capacity: ranks.count) { areFree in
      for rank in ranks { areFree.append(slots[slot(hash(rules.pairs[rank]))] == 0) }
    }
    for rank in ranks where rules.pairs[rank] != MergeRules.noPair {
      let pair = rules.pairs[rank]
      let hash = hash(pair)
      var slot = slot(hash)
      // One of these rules may have taken it since.
      if !areFree[rank - ranks.lowerBound] || slots[slot] != 0 {
        let found = find(pair, hash)
        guard found.merge == .none else { continue }
        slot = found.slot
      }
      slots[slot] = Self.tag(hash) | UInt32(rank + 1)
    }
  }

  @inline(__always)
  func merge(_ left: TokenID, _ right: TokenID) -> Merge {
    let pair = MergeRules.pair(left, right)
    return find(pair, hash(pair)).merge
  }

  private static let rankMask: UInt32 = 0x00FF_FFFF

  private static func tag(_ hash: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: hash >> 32) & ~rankMask
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
        if rules.pairs[rank] == pair {
          return (Merge(rank: UInt32(truncatingIfNeeded: rank), result: rules.results[rank]), slot)
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
