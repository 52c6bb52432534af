/// Where the codes, scales and offsets of one head's quantised keys and values lie.
///
/// A number is scale · code + offset, the codes unsigned and of `bits` (8 or 4), the scales and
/// offsets float16. In this order, each part beginning where the one before ends:
/// - keys, (headDimension, 64). Two registers of four-bit codes share 16 bytes: the first has the
///   low halves.
/// - values, (64, paddedDimension), for four bits but the whole pairs of registers of each;
/// - for four bits, the register without a partner of all values, two positions in 16 bytes;
/// - scales, then offsets, of the keys, (paddedDimension): one per channel;
/// - scales, then offsets, of the values, (groups, 64): one per position and group of channels.
///
/// A group is 32 channels; the last takes what is left over, if that is one register.
package struct QuantisedLayout {
  package let bits: Int
  package let headDimension: Int
  package let paddedDimension: Int
  package let groups: Int
  /// Bytes of a channel of keys, and of a position of values (without the single register).
  package let keyStride: Int
  package let valueStride: Int
  /// Bytes before each part.
  package let values: Int
  package let singles: Int
  package let keyScales: Int
  package let keyOffsets: Int
  package let valueScales: Int
  package let valueOffsets: Int
  package let byteCount: Int

  package init(headDimension: Int, bits: Int) {
    self.bits = bits
    self.headDimension = headDimension
    paddedDimension = (headDimension + 15) / 16 * 16
    groups = paddedDimension < 32 ? 1 : paddedDimension / 32
    keyStride = 64 * bits / 8
    let hasSingles = bits == 4 && paddedDimension % 32 != 0
    valueStride = (paddedDimension - (hasSingles ? 16 : 0)) * bits / 8
    values = headDimension * keyStride
    singles = values + 64 * valueStride
    keyScales = singles + (hasSingles ? 64 * 8 : 0)
    keyOffsets = keyScales + paddedDimension * 2
    valueScales = keyOffsets + paddedDimension * 2
    valueOffsets = valueScales + groups * 64 * 2
    byteCount = valueOffsets + groups * 64 * 2
  }
}
