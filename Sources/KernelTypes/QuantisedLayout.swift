/// Where the codes, scales and offsets of one head's quantised keys and values lie.
///
/// A number is scale · code + offset, the codes unsigned and of 8 or 4 bits, those of keys and
/// those of values each of their own, the scales and offsets float16. Keys are quantised per channel
/// over a block and values per position, because outliers of keys keep to their channels and those of
/// values do not: KIVI, arXiv:2402.02750, §3. In this order, which is the one they are read in, each
/// part beginning where the one before ends:
/// - scales, then offsets, of the keys, (paddedDimension): one per channel;
/// - keys, (headDimension, 64). Two registers of four-bit codes share 16 bytes: the first has the
///   low halves;
/// - scales, then offsets, of the values, (groups, 64): one per position and group of channels;
/// - values, (units, 64, 64): a unit is 64 channels, the last may be fewer, and for four bits has
///   but the whole pairs of registers;
/// - for four bits, the register without a partner of all values, two positions in 16 bytes.
///
/// A group is 32 channels; the last takes what is left over, if that is one register.
package struct QuantisedLayout {
  package let keyBits: Int
  package let valueBits: Int
  package let headDimension: Int
  package let paddedDimension: Int
  package let groups: Int
  /// Bytes before each part.
  package let keyOffsets: Int
  package let keys: Int
  package let valueScales: Int
  package let valueOffsets: Int
  package let values: Int
  package let singles: Int
  package let byteCount: Int

  package init(headDimension: Int, keyBits: Int, valueBits: Int) {
    self.keyBits = keyBits
    self.valueBits = valueBits
    self.headDimension = headDimension
    paddedDimension = (headDimension + 15) / 16 * 16
    groups = paddedDimension < 32 ? 1 : paddedDimension / 32
    let hasSingles = valueBits == 4 && paddedDimension % 32 != 0
    let single = hasSingles ? 16 : 0
    keyOffsets = paddedDimension * 2
    keys = keyOffsets + paddedDimension * 2
    valueScales = keys + headDimension * 64 * keyBits / 8
    valueOffsets = valueScales + groups * 64 * 2
    values = valueOffsets + groups * 64 * 2
    singles = values + 64 * (paddedDimension - single) * valueBits / 8
    byteCount = singles + 64 * single * valueBits / 8
  }

  /// Bytes from one row of a unit (a channel of keys, a position of values) to the next, the unit
  /// having so many registers.
  package static func rowStride(registers: Int, bits: Int) -> Int {
    (bits == 4 ? registers / 2 * 2 : registers) * 16 * bits / 8
  }
}
