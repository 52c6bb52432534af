import Kernels

/// 256 weights in 144 bytes: d, dmin, scales and minima of six bits per 32, then nibbles;
/// w = (d·s)·u − (dmin·m).
struct Q4_K: BlockLayout {
  var format: MatrixFormat { .superblockAffine(bits: 4) }
  var block: Int { 256 }
  var blockByteCount: Int { 144 }

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
    // 32 bytes hold two sub-blocks: low nibbles the first, high nibbles the second.
    for chunk in 0..<4 {
      for part in 0..<4 {
        let word = bytes.load(UInt64.self, at: at + 16 + 32 * chunk + 8 * part)
        let target = 256 * index + 64 * chunk + 8 * part
        codes.store(word & lowNibbles, at: target)
        codes.store((word &>> 4) & lowNibbles, at: target + 32)
      }
    }
  }
}
