/// Reads memory as fast as it comes.
///
/// `byteCount` is a multiple of 256; the result means nothing.
package func readMemory(_ start: UnsafeRawPointer, _ byteCount: Int) -> UInt64 {
  var a = SIMD8<UInt64>.zero
  var b = a
  var at = 0
  while at < byteCount {
    a |= start.loadUnaligned(fromByteOffset: at, as: SIMD8<UInt64>.self)
    b |= start.loadUnaligned(fromByteOffset: at &+ 64, as: SIMD8<UInt64>.self)
    at = at &+ 128
  }
  a |= b
  return a[0] | a[1] | a[2] | a[3] | a[4] | a[5] | a[6] | a[7]
}
