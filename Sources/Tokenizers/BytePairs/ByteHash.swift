import JSON

/// A seeded hash of bytes that may come in parts.
///
/// Pieces are mostly shorter than a word, and a loop over the bytes of each would end where no
/// processor foresees it, which takes longer than all the rest; so bytes are taken eight at a time.
struct ByteHash {
  private var state: UInt64
  /// The bytes since the last mixing, the first the lowest.
  private var word: UInt64 = 0
  private var count = 0

  init(seed: UInt64) {
    state = seed
  }

  @inline(__always)
  mutating func combine(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    var start = range.lowerBound
    while start < range.upperBound {
      let length = min(8, range.upperBound - start)
      let next = bytes.word(at: start, length)
      let held = count & 7
      word |= next << UInt64(8 * held)
      if held + length >= 8 {
        mix()
        // A shift by 64, where no byte was held, gives 0.
        word = next >> UInt64(8 * (8 - held))
      }
      count += length
      start += length
    }
  }

  @inline(__always)
  consuming func finish() -> UInt64 {
    mix()
    word = UInt64(truncatingIfNeeded: count)
    mix()
    return state
  }

  /// The two halves of a 128-bit product depend on every bit of state and word.
  @inline(__always)
  private mutating func mix() {
    let product = (state ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    state = product.high ^ product.low
    word = 0
  }
}
