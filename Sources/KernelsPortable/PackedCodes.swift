// Tiles of codes that a file has packed already.
//
// A run of a tile's block holds, of each row, one word of 32 bits, and so do the files' rows hold the
// same codes in one word of theirs: only the order of bits inside it differs. With codes of p bits in
// ascending order, code 4·step + input lies at bit p·(4·step + input) there and belongs at bit
// 8·input + p·step. Both are the same bits of an index in another order, so each exchange of two bits of
// the index is one exchange of bits in the word.

/// Packs 16 rows of codes of 1, 2, 4 or 8 bits in ascending order, `stride` bytes apart, into blocks of
/// a tile.
///
/// `columns` is a multiple of 32.
package func packAscending(
  _ rows: UnsafeRawPointer, stride: Int, columns: Int, bits: Int,
  into codes: UnsafeMutableRawPointer
) {
  let words = columns / 32 &* bits
  switch bits {
  case 1: packWords(rows, stride, words, into: codes, ordered1)
  case 2: packWords(rows, stride, words, into: codes, ordered2)
  case 4: packWords(rows, stride, words, into: codes, ordered4)
  default: packWords(rows, stride, words, into: codes) { $0 }
  }
}

/// Packs 16 rows of codes of 4 bits, `stride` bytes apart, into blocks of a tile: of 32 codes in 16
/// bytes the first half in the low bits, the second in the high ones.
///
/// `columns` is a multiple of 32.
package func packHalves(
  _ rows: UnsafeRawPointer, stride: Int, columns: Int, into codes: UnsafeMutableRawPointer
) {
  var source = rows
  var target = codes
  var column = 0
  while column < columns {
    packPair(source, stride, into: target)
    packPair(source + 8, stride, into: target + 64)
    source += 16
    target += 256
    column = column &+ 32
  }
}

/// Sixteen codes of each row, which are half of one run and half of the one two further.
@inline(always)
private func packPair(
  _ source: UnsafeRawPointer, _ stride: Int, into target: UnsafeMutableRawPointer
) {
  let first = rowWords(source, stride)
  let second = rowWords(source + 4, stride)
  let low = SIMD16<UInt32>(repeating: 0x0F0F_0F0F)
  target.storeBytes(of: first & low | (second & low) &<< 4, as: SIMD16<UInt32>.self)
  target.storeBytes(
    of: first &>> 4 & low | second & ~low, toByteOffset: 128, as: SIMD16<UInt32>.self)
}

@inline(always)
private func packWords(
  _ rows: UnsafeRawPointer, _ stride: Int, _ count: Int, into target: UnsafeMutableRawPointer,
  _ ordered: (SIMD16<UInt32>) -> SIMD16<UInt32>
) {
  var word = 0
  while word < count {
    target.storeBytes(
      of: ordered(rowWords(rows + word &* 4, stride)), toByteOffset: word &* 64,
      as: SIMD16<UInt32>.self)
    word = word &+ 1
  }
}

/// A word of each row.
@inline(always)
private func rowWords(_ first: UnsafeRawPointer, _ stride: Int) -> SIMD16<UInt32> {
  var words = SIMD16<UInt32>.zero
  var row = 0
  while row < 16 {
    words[row] = first.loadUnaligned(fromByteOffset: row &* stride, as: UInt32.self)
    row = row &+ 1
  }
  return words
}

// The index of a bit, the highest first, as (step, input): 3 and 2 bits.

@inline(always)
private func ordered1(_ words: SIMD16<UInt32>) -> SIMD16<UInt32> {
  // s s s i i, i s s s i, i i s s s with the steps' bits as 0 2 1, 2 0 1, 2 1 0.
  exchanged(
    exchanged(
      exchanged(exchanged(words, 14, 0x0000_CCCC), 7, 0x00AA_00AA), 2, 0x0C0C_0C0C),
    1, 0x2222_2222)
}

// The same with 2 and 2 bits and one of the code: s s i i c, i s s i c, i i s s c.
@inline(always)
private func ordered2(_ words: SIMD16<UInt32>) -> SIMD16<UInt32> {
  exchanged(exchanged(words, 12, 0x0000_F0F0), 6, 0x00CC_00CC)
}

// With 1 and 2 bits and two of the code: s i i c c, i s i c c, i i s c c.
@inline(always)
private func ordered4(_ words: SIMD16<UInt32>) -> SIMD16<UInt32> {
  exchanged(exchanged(words, 8, 0x0000_FF00), 4, 0x00F0_00F0)
}

/// Exchanges the bits under the mask with those that lie `distance` higher.
@inline(always)
private func exchanged(
  _ words: SIMD16<UInt32>, _ distance: UInt32, _ mask: UInt32
) -> SIMD16<UInt32> {
  let shift = SIMD16<UInt32>(repeating: distance)
  let differing = (words ^ words &>> shift) & SIMD16(repeating: mask)
  return words ^ differing ^ differing &<< shift
}
