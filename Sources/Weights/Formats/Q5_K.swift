import Kernels

/// 256 weights in 176 bytes: as Q4_K, with 32 bytes before the nibbles whose bit k is the fifth bit
/// of sub-block k.
struct Q5_K: BlockLayout {
  var format: MatrixFormat { .superblockAffine(bits: 5) }
  var block: Int { 256 }
  var blockByteCount: Int { 176 }

  @inline(__always)
  func unpack(
    _ bytes: FileBytes, at: Int, index: Int, codes: inout MutableSpan<UInt8>,
    scales: inout MutableSpan<UInt8>, offsets: inout MutableSpan<UInt8>
  ) {
    let packed = SixBitScales(bytes, at: at + 4)
    scales.store(bytes.load(UInt16.self, at: at), at: 10 * index)
    scales.store(packed.scales, at: 10 * index + 2)
    offsets.store(bytes.load(UInt16.self, at: at + 2), at: 10 * index)
    offsets.store(packed.minima, at: 10 * index + 2)
    let ones: UInt64 = 0x0101_0101_0101_0101
    for part in 0..<4 {
      let fifths = bytes.load(UInt64.self, at: at + 16 + 8 * part)
      for chunk in 0..<4 {
        let word = bytes.load(UInt64.self, at: at + 48 + 32 * chunk + 8 * part)
        let target = 256 * index + 64 * chunk + 8 * part
        let shift = UInt64(2 * chunk)
        codes.store((word & lowNibbles) | ((fifths &>> shift) & ones) &<< 4, at: target)
        codes.store(
          ((word &>> 4) & lowNibbles) | ((fifths &>> (shift &+ 1)) & ones) &<< 4, at: target + 32)
      }
    }
  }
}
