import KernelTypes

// The codes of a tile: blocks of 32 inputs × 16 rows.
//
// A block has eight steps; step d holds inputs 4d…4d+3 of every row, byte 4·row + i for input
// 4d + i. A plane of p bits packs 8/p consecutive steps into one run of 64 bytes, the first step in
// the low bits. Widths that are no power of two are two planes, the low bits first: 3 = 2 + 1,
// 5 = 4 + 1, 6 = 4 + 2.

/// Bits of the first plane and of the second.
package func planes(ofBits bits: Int) -> (low: Int, high: Int) {
  switch bits {
  case 3: (2, 1)
  case 5: (4, 1)
  case 6: (4, 2)
  default: (bits, 0)
  }
}

/// Block `index` of a tile.
func codesBlock(
  _ matrix: UnsafePointer<GroupedTiles>, _ tile: UnsafeRawPointer, _ index: Int
) -> UnsafeRawPointer {
  let chunkBlocks = matrix.pointee.chunkGroups &* matrix.pointee.group / 32
  let chunk = index / chunkBlocks
  return tile
    + (chunk &* matrix.pointee.chunkStride &+ matrix.pointee.codesSection
      &+ (index &- chunk &* chunkBlocks) &* matrix.pointee.bits &* 64)
}

/// Packs 16 rows of codes, one per byte and `stride` apart, into blocks of a tile.
///
/// `columns` is a multiple of 32. Codes wider than `bits` are cut.
package func packCodes(
  _ rows: UnsafePointer<UInt8>, stride: Int, columns: Int, bits: Int,
  into codes: UnsafeMutableRawPointer
) {
  let (low, high) = planes(ofBits: bits)
  var target = codes
  var column = 0
  while column < columns {
    packPlane(rows + column, stride, bits: low, shift: 0, into: target)
    target += low &* 64
    if high > 0 {
      packPlane(rows + column, stride, bits: high, shift: low, into: target)
      target += high &* 64
    }
    column = column &+ 32
  }
}

@inline(always)
private func packPlane(
  _ block: UnsafePointer<UInt8>, _ stride: Int, bits: Int, shift: Int,
  into target: UnsafeMutableRawPointer
) {
  switch bits {
  case 1: packRuns(block, stride, bits: 1, shift: shift, into: target)
  case 2: packRuns(block, stride, bits: 2, shift: shift, into: target)
  case 4: packRuns(block, stride, bits: 4, shift: shift, into: target)
  default: packRuns(block, stride, bits: 8, shift: shift, into: target)
  }
}

@inline(always)
private func packRuns(
  _ block: UnsafePointer<UInt8>, _ stride: Int, bits: Int, shift: Int,
  into target: UnsafeMutableRawPointer
) {
  let steps = 8 / bits
  let mask = 0x0101_0101 &* ((1 as UInt32) &<< UInt32(truncatingIfNeeded: bits) &- 1)
  var row = 0
  while row < 16 {
    let source = UnsafeRawPointer(block + row &* stride)
    var run = 0
    while run < bits {
      var packed: UInt32 = 0
      var step = 0
      while step < steps {
        let four = source.loadUnaligned(
          fromByteOffset: (run &* steps &+ step) &* 4, as: UInt32.self)
        packed |=
          (four &>> UInt32(truncatingIfNeeded: shift) & mask)
          &<< UInt32(truncatingIfNeeded: step &* bits)
        step = step &+ 1
      }
      target.storeBytes(of: packed, toByteOffset: run &* 64 &+ row &* 4, as: UInt32.self)
      run = run &+ 1
    }
    row = row &+ 1
  }
}

/// Unpacks a block to 512 codes: (step, row, input of the step).
package func unpackBlock(
  _ block: UnsafeRawPointer, bits: Int, into steps: UnsafeMutableRawPointer
) {
  let (low, high) = planes(ofBits: bits)
  unpackPlane(block, bits: low, shift: 0, into: steps)
  if high > 0 {
    unpackPlane(block + low &* 64, bits: high, shift: low, into: steps)
  }
}

/// Eight bytes at a time; a plane above another is added to what is there.
@inline(always)
private func unpackPlane(
  _ plane: UnsafeRawPointer, bits: Int, shift: Int, into steps: UnsafeMutableRawPointer
) {
  let perRun = 8 / bits
  let mask = 0x0101_0101_0101_0101 &* ((1 as UInt64) &<< UInt64(truncatingIfNeeded: bits) &- 1)
  var step = 0
  while step < 8 {
    let source = plane + (step / perRun) &* 64
    let down = UInt64(truncatingIfNeeded: (step % perRun) &* bits)
    let up = UInt64(truncatingIfNeeded: shift)
    let target = steps + step &* 64
    var byte = 0
    while byte < 64 {
      let eight = source.loadUnaligned(fromByteOffset: byte, as: UInt64.self) &>> down & mask
      let before: UInt64 =
        shift == 0 ? 0 : target.loadUnaligned(fromByteOffset: byte, as: UInt64.self)
      target.storeBytes(of: before | eight &<< up, toByteOffset: byte, as: UInt64.self)
      byte = byte &+ 8
    }
    step = step &+ 1
  }
}

/// The four codes of one row in step `step` of a block, the first in the low byte.
func fourCodes(_ block: UnsafeRawPointer, bits: Int, step: Int, row: Int) -> UInt32 {
  let (low, high) = planes(ofBits: bits)
  let codes = fourBits(block, bits: low, step: step, row: row)
  guard high > 0 else { return codes }
  return codes
    | fourBits(block + low &* 64, bits: high, step: step, row: row)
    &<< UInt32(truncatingIfNeeded: low)
}

@inline(always)
private func fourBits(_ plane: UnsafeRawPointer, bits: Int, step: Int, row: Int) -> UInt32 {
  let perRun = 8 / bits
  let run = step / perRun
  let mask = 0x0101_0101 &* ((1 as UInt32) &<< UInt32(truncatingIfNeeded: bits) &- 1)
  let word = plane.loadUnaligned(fromByteOffset: run &* 64 &+ row &* 4, as: UInt32.self)
  return word &>> UInt32(truncatingIfNeeded: (step &- run &* perRun) &* bits) & mask
}
