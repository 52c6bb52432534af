import Kernels

/// 64 weights in 18 bytes, or 128 in 34 as PrismML first had it: d, then codes; w = d·(u − 1).
struct Q2_0: BlockLayout {
  let group: Int

  var format: MatrixFormat {
    .grouped(bits: 2, group: group, scale: .float16, zero: .symmetric(1))
  }
  var block: Int { group }
  var blockByteCount: Int { 2 + group / 4 }
  var packing: CodePacking? { .ascending }

  @inline(__always)
  func unpack(
    _ bytes: FileBytes, at: Int, index: Int, codes: inout MutableSpan<UInt8>,
    scales: inout MutableSpan<UInt8>, offsets: inout MutableSpan<UInt8>
  ) {
    scales.store(bytes.load(UInt16.self, at: at), at: 2 * index)
    for part in 0..<group / 32 {
      let bits = bytes.load(UInt64.self, at: at + 2 + 8 * part)
      let target = group * index + 32 * part
      codes.store(spread(bits, bits: 2), at: target)
      codes.store(spread(bits &>> 16, bits: 2), at: target + 8)
      codes.store(spread(bits &>> 32, bits: 2), at: target + 16)
      codes.store(spread(bits &>> 48, bits: 2), at: target + 24)
    }
  }
}
