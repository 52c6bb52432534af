/// Finds vocabulary entries by their bytes: open addressing over ids, the bytes staying where
/// they are.
///
/// The seed is random, so that no file can choose entries that all meet in one slot.
struct PieceIndex: Sendable {
  /// Ids, or −1 for a free slot.
  ///
  /// A power of two of them, at most half full.
  private var slots: [TokenID]
  private let seed: UInt64

  init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    slots = [TokenID](repeating: -1, count: size)
    seed = UInt64.random(in: .min ... .max)
  }

  /// Enters `id`; the id already there if one has the same bytes.
  mutating func insert(_ id: TokenID, of pieces: borrowing ByteStrings) -> TokenID? {
    let bytes = pieces.bytes.span
    let range = pieces.range(Int(id))
    var slot = slot(of: hash(bytes, range))
    while slots[slot] >= 0 {
      let other = pieces.range(Int(slots[slot]))
      if equal(bytes, range, bytes, other) { return slots[slot] }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = id
    return nil
  }

  /// The entry whose bytes are those of `text` in `range`.
  func id(of text: Span<UInt8>, _ range: Range<Int>, in pieces: borrowing ByteStrings) -> TokenID? {
    let bytes = pieces.bytes.span
    var slot = slot(of: hash(text, range))
    while slots[slot] >= 0 {
      if equal(text, range, bytes, pieces.range(Int(slots[slot]))) { return slots[slot] }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// The entry whose bytes are those of `left` and then those of `right`.
  func id(joining left: TokenID, _ right: TokenID, in pieces: borrowing ByteStrings) -> TokenID? {
    let bytes = pieces.bytes.span
    let (left, right) = (pieces.range(Int(left)), pieces.range(Int(right)))
    var state = ByteHash(seed: seed)
    state.combine(bytes, left)
    state.combine(bytes, right)
    var slot = slot(of: state.finish())
    while slots[slot] >= 0 {
      let found = pieces.range(Int(slots[slot]))
      if found.count == left.count + right.count {
        let middle = found.lowerBound + left.count
        if equal(bytes, left, bytes, found.lowerBound..<middle),
          equal(bytes, right, bytes, middle..<found.upperBound)
        {
          return slots[slot]
        }
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private func hash(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    var state = ByteHash(seed: seed)
    state.combine(bytes, range)
    return state.finish()
  }

  private func slot(of hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash) & (slots.count - 1)
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
