/// Finds vocabulary entries by their bytes: open addressing over ids, the bytes staying where
/// they are.
///
/// The seed is random, so that no file can choose entries that all meet in one slot.
struct PieceIndex: Sendable {
  /// The upper half of a hash and, below it, the id plus one; 0 for a free slot.
  ///
  /// A power of two of them, at most half full.
  private var slots: [UInt64]
  private let seed: UInt64

  init(capacity: Int) {
    slots = [UInt64](repeating: 0, count: Self.slotCount(capacity: capacity))
    seed = UInt64.random(in: .min ... .max)
  }

  static func byteCount(capacity: Int) -> Int {
    slotCount(capacity: capacity) * MemoryLayout<UInt64>.stride
  }

  private static func slotCount(capacity: Int) -> Int {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    return size
  }

  /// Enters `id`; the id already there if one has the same bytes.
  mutating func insert(_ id: TokenID, of pieces: borrowing ByteStrings) -> TokenID? {
    let bytes = pieces.bytes.span
    let range = pieces.range(Int(id))
    let hash = hash(bytes, range)
    let found = find(hash) { equal(bytes, range, bytes, pieces.range(Int($0))) }
    if let other = found.id { return other }
    slots[found.slot] = hash & Self.upperHalf | UInt64(id + 1)
    return nil
  }

  /// The entry whose bytes are those of `text` in `range`.
  func id(of text: Span<UInt8>, _ range: Range<Int>, in pieces: borrowing ByteStrings) -> TokenID? {
    let bytes = pieces.bytes.span
    return find(hash(text, range)) { equal(text, range, bytes, pieces.range(Int($0))) }.id
  }

  /// The entry whose bytes are those of `left` and then those of `right`.
  func id(joining left: TokenID, _ right: TokenID, in pieces: borrowing ByteStrings) -> TokenID? {
    let bytes = pieces.bytes.span
    var state = ByteHash(seed: seed)
    state.combine(bytes, pieces.range(Int(left)))
    state.combine(bytes, pieces.range(Int(right)))
    return find(state.finish()) { joins(left, right, into: $0, in: pieces) }.id
  }

  /// Whether the bytes of `whole` are those of `left` and then those of `right`.
  func joins(
    _ left: TokenID, _ right: TokenID, into whole: TokenID, in pieces: borrowing ByteStrings
  ) -> Bool {
    let bytes = pieces.bytes.span
    let (left, right) = (pieces.range(Int(left)), pieces.range(Int(right)))
    let whole = pieces.range(Int(whole))
    guard whole.count == left.count + right.count else { return false }
    let middle = whole.lowerBound + left.count
    return equal(bytes, left, bytes, whole.lowerBound..<middle)
      && equal(bytes, right, bytes, middle..<whole.upperBound)
  }

  private static let upperHalf: UInt64 = 0xFFFF_FFFF_0000_0000

  /// The entry with this hash for which `isEqual` holds, or the free slot where it would be.
  private func find(_ hash: UInt64, _ isEqual: (TokenID) -> Bool) -> (id: TokenID?, slot: Int) {
    var slot = Int(truncatingIfNeeded: hash) & (slots.count &- 1)
    while slots[slot] != 0 {
      if (slots[slot] ^ hash) & Self.upperHalf == 0 {
        let id = TokenID(truncatingIfNeeded: slots[slot]) - 1
        if isEqual(id) { return (id, slot) }
      }
      slot = (slot &+ 1) & (slots.count &- 1)
    }
    return (nil, slot)
  }

  private func hash(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    var state = ByteHash(seed: seed)
    state.combine(bytes, range)
    return state.finish()
  }

  private func equal(
    _ first: Span<UInt8>, _ firstRange: Range<Int>, _ second: Span<UInt8>,
    _ secondRange: Range<Int>
  ) -> Bool {
    guard firstRange.count == secondRange.count else { return false }
    let distance = secondRange.lowerBound - firstRange.lowerBound
    for position in firstRange where first[position] != second[position + distance] {
      return false
    }
    return true
  }
}

/// A seeded hash of bytes that may come in parts.
struct ByteHash {
  private var state: UInt64
  private var word: UInt64 = 0
  private var count: UInt64 = 0

  init(seed: UInt64) {
    state = seed
  }

  mutating func combine(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    for position in range {
      word = word << 8 | UInt64(bytes[position])
      count &+= 1
      if count & 7 == 0 { mix() }
    }
  }

  consuming func finish() -> UInt64 {
    mix()
    word = count
    mix()
    return state
  }

  /// The two halves of a 128-bit product depend on every bit of state and word.
  private mutating func mix() {
    let product = (state ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    state = product.high ^ product.low
    word = 0
  }
}
