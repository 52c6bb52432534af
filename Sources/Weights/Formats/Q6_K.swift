import Kernels

/// 256 weights in 210 bytes: low nibbles, high pairs of bits, a signed scale per 16, d last;
/// w = (d·s)·(u − 32).
struct Q6_K: BlockLayout {
  var format: MatrixFormat { .superblockSymmetric }
  var block: Int { 256 }
  var blockByteCount: Int { 210 }

  @inline(__always)
  func unpack(
    _ bytes: FileBytes, at: Int, index: Int, codes: inout MutableSpan<UInt8>,
    scales: inout MutableSpan<UInt8>, offsets: inout MutableSpan<UInt8>
  ) {
    scales.store(bytes.load(UInt16.self, at: at + 208), at: 18 * index)
    scales.store(bytes.load(UInt64.self, at: at + 192), at: 18 * index + 2)
    scales.store(bytes.load(UInt64.self, at: at + 200), at: 18 * index + 10)
    let pairs: UInt64 = 0x3030_3030_3030_3030
    for half in 0..<2 {
      for part in 0..<4 {
        let low = bytes.load(UInt64.self, at: at + 64 * half + 8 * part)
        let next = bytes.load(UInt64.self, at: at + 64 * half + 32 + 8 * part)
        let high = bytes.load(UInt64.self, at: at + 128 + 32 * half + 8 * part)
        let target = 256 * index + 128 * half + 8 * part
        codes.store((low & lowNibbles) | ((high &<< 4) & pairs), at: target)
        codes.store((next & lowNibbles) | ((high &<< 2) & pairs), at: target + 32)
        codes.store(((low &>> 4) & lowNibbles) | (high & pairs), at: target + 64)
        codes.store(((next &>> 4) & lowNibbles) | ((high &>> 2) & pairs), at: target + 96)
      }
    }
  }
}
