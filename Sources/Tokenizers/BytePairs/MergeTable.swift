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

/// Merge rules by their two parts: open addressing, one 16-byte entry per rule.
struct MergeTable: MergeRule, Sendable {
  private struct Entry {
    var pair: UInt64
    var merge: Merge
  }

  let rankCount: Int
  private var entries: [Entry]
  private let seed: UInt64

  init(capacity: Int) {
    rankCount = capacity
    entries = [Entry](
      repeating: Entry(pair: .max, merge: .none), count: Self.entryCount(capacity: capacity))
    seed = UInt64.random(in: .min ... .max)
  }

  static func byteCount(capacity: Int) -> Int {
    entryCount(capacity: capacity) * MemoryLayout<Entry>.stride
  }

  private static func entryCount(capacity: Int) -> Int {
    var size = 16
    while size < capacity + capacity / 2 { size *= 2 }
    return size
  }

  /// Enters a rule; the first of two for the same pair counts.
  mutating func insert(_ left: TokenID, _ right: TokenID, _ merge: Merge) {
    let pair = Self.pair(left, right)
    var slot = slot(of: pair)
    while entries[slot].pair != .max {
      if entries[slot].pair == pair { return }
      slot = (slot &+ 1) & (entries.count &- 1)
    }
    entries[slot] = Entry(pair: pair, merge: merge)
  }

  func merge(_ left: TokenID, _ right: TokenID) -> Merge {
    let pair = Self.pair(left, right)
    var slot = slot(of: pair)
    while true {
      let entry = entries[slot]
      if entry.pair == pair { return entry.merge }
      if entry.pair == .max { return .none }
      slot = (slot &+ 1) & (entries.count &- 1)
    }
  }

  private static func pair(_ left: TokenID, _ right: TokenID) -> UInt64 {
    UInt64(UInt32(bitPattern: left)) << 32 | UInt64(UInt32(bitPattern: right))
  }

  private func slot(of pair: UInt64) -> Int {
    let product = (pair ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return Int(truncatingIfNeeded: product.high ^ product.low) & (entries.count &- 1)
  }
}
