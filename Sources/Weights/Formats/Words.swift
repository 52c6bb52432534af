// Eight codes in a word: the steps that the formats share.

/// The low nibbles of eight bytes.
let lowNibbles: UInt64 = 0x0F0F_0F0F_0F0F_0F0F

/// Spreads the low 8·`bits` bits of `word`, eight codes one after another, to one byte each.
@inline(__always)
func spread(_ word: UInt64, bits: UInt64) -> UInt64 {
  if bits == 1 { return spread(bits: word) }
  let fours: UInt64 = (1 &<< (4 &* bits)) &- 1
  let halves = (word & fours) | (((word &>> (4 &* bits)) & fours) &<< 32)
  let twos = ((1 &<< (2 &* bits)) &- 1) &* 0x0000_0001_0000_0001 as UInt64
  let quarters = (halves & twos) | (((halves &>> (2 &* bits)) & twos) &<< 16)
  let ones = ((1 &<< bits) &- 1) &* 0x0001_0001_0001_0001 as UInt64
  return (quarters & ones) | (((quarters &>> bits) & ones) &<< 8)
}

/// Spreads the low 8 bits of `word` to one byte each.
@inline(__always)
private func spread(bits word: UInt64) -> UInt64 {
  // Bit i alone in byte i; adding 127 makes it the highest of its byte.
  let alone = (word & 0xFF) &* 0x0101_0101_0101_0101 & 0x8040_2010_0804_0201
  return (alone &+ 0x7F7F_7F7F_7F7F_7F7F) &>> 7 & 0x0101_0101_0101_0101
}

extension MutableSpan<UInt8> {
  /// Stores 32 codes whose low bits are the low nibbles of 16 bytes, then the high ones.
  ///
  /// `fifth` holds one more bit, of value 16, for each code in order.
  @inline(__always)
  mutating func storeNibbles(
    of bytes: FileBytes, at source: Int, fifth: UInt32 = 0, to target: Int
  ) {
    let first = bytes.load(UInt64.self, at: source)
    let second = bytes.load(UInt64.self, at: source &+ 8)
    let words = (
      first & lowNibbles, second & lowNibbles, (first &>> 4) & lowNibbles,
      (second &>> 4) & lowNibbles
    )
    let bits = UInt64(fifth)
    store(words.0 | spread(bits, bits: 1) &<< 4, at: target)
    store(words.1 | spread(bits &>> 8, bits: 1) &<< 4, at: target &+ 8)
    store(words.2 | spread(bits &>> 16, bits: 1) &<< 4, at: target &+ 16)
    store(words.3 | spread(bits &>> 24, bits: 1) &<< 4, at: target &+ 24)
  }
}
