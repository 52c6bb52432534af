package import KernelTypes

/// Arranges `count` scales, offsets or dense elements of 16 rows, `rowBytes` apart, so that those of
/// one group lie together.
///
/// Returns −1, or 16·group + row of a value that is not finite.
package func packElements(
  _ rows: UnsafeRawPointer, rowBytes: Int, count: Int, storage: ScaleStorage,
  into target: UnsafeMutableRawPointer
) -> Int {
  switch storage {
  case .float16: pack16(rows, rowBytes: rowBytes, count: count, exponent: 0x7C00, into: target)
  case .bfloat16: pack16(rows, rowBytes: rowBytes, count: count, exponent: 0x7F80, into: target)
  case .float32, .superblock: pack32(rows, rowBytes: rowBytes, count: count, into: target)
  }
}

@inline(always)
private func pack16(
  _ rows: UnsafeRawPointer, rowBytes: Int, count: Int, exponent: UInt16,
  into target: UnsafeMutableRawPointer
) -> Int {
  var bad = -1
  var index = 0
  while index < count {
    var row = 0
    while row < 16 {
      let bits = rows.loadUnaligned(
        fromByteOffset: row &* rowBytes &+ index &* 2, as: UInt16.self)
      if UInt16(littleEndian: bits) & exponent == exponent {
        bad = index &* 16 &+ row
      }
      target.storeBytes(of: bits, toByteOffset: index &* 32 &+ row &* 2, as: UInt16.self)
      row = row &+ 1
    }
    index = index &+ 1
  }
  return bad
}

private func pack32(
  _ rows: UnsafeRawPointer, rowBytes: Int, count: Int, into target: UnsafeMutableRawPointer
) -> Int {
  let exponent: UInt32 = 0x7F80_0000
  var bad = -1
  var index = 0
  while index < count {
    var row = 0
    while row < 16 {
      let bits = rows.loadUnaligned(
        fromByteOffset: row &* rowBytes &+ index &* 4, as: UInt32.self)
      if UInt32(littleEndian: bits) & exponent == exponent {
        bad = index &* 16 &+ row
      }
      target.storeBytes(of: bits, toByteOffset: index &* 64 &+ row &* 4, as: UInt32.self)
      row = row &+ 1
    }
    index = index &+ 1
  }
  return bad
}

/// Arranges a super-block of 16 rows, `rowBytes` apart: a float16 and `factors` bytes in the source,
/// (float16, row), (factor, row) in the target.
///
/// Returns −1, or the row of a float16 that is not finite.
package func packSuperblock(
  _ rows: UnsafeRawPointer, rowBytes: Int, factors: Int, into target: UnsafeMutableRawPointer
) -> Int {
  var bad = -1
  var row = 0
  while row < 16 {
    let source = rows + row &* rowBytes
    let bits = source.loadUnaligned(as: UInt16.self)
    if UInt16(littleEndian: bits) & 0x7C00 == 0x7C00 {
      bad = row
    }
    target.storeBytes(of: bits, toByteOffset: row &* 2, as: UInt16.self)
    var factor = 0
    while factor < factors {
      target.storeBytes(
        of: source.load(fromByteOffset: 2 &+ factor, as: UInt8.self),
        toByteOffset: 32 &+ factor &* 16 &+ row, as: UInt8.self)
      factor = factor &+ 1
    }
    row = row &+ 1
  }
  return bad
}
