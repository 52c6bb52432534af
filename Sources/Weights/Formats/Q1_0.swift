import Kernels

/// 128 weights in 18 bytes (or 32 in 6, as PrismML first had it): d, then sign bits;
/// w = d·(2u − 1).
struct Q1_0: BlockLayout {
  let group: Int

  var format: MatrixFormat {
    .grouped(bits: 1, group: group, scale: .float16, zero: .signs)
  }
  var block: Int { group }
  var blockByteCount: Int { 2 + group / 8 }
  var packing: CodePacking? { .ascending }

  @inline(__always)
  func unpack(
    _ bytes: FileBytes, at: Int, index: Int, codes: inout MutableSpan<UInt8>,
    scales: inout MutableSpan<UInt8>, offsets: inout MutableSpan<UInt8>
  ) {
    scales.store(bytes.load(UInt16.self, at: at), at: 2 * index)
    for part in 0..<group / 32 {
      let bits = UInt64(bytes.load(UInt32.self, at: at + 2 + 4 * part))
      let target = group * index + 32 * part
      codes.store(spread(bits, bits: 1), at: target)
      codes.store(spread(bits &>> 8, bits: 1), at: target + 8)
      codes.store(spread(bits &>> 16, bits: 1), at: target + 16)
      codes.store(spread(bits &>> 24, bits: 1), at: target + 24)
    }
  }
}
