import Kernels

/// 32 weights in 18 bytes: d, then nibbles; w = d·(u − 8).
struct Q4_0: BlockLayout {
  var format: MatrixFormat {
    .grouped(bits: 4, group: 32, scale: .float16, zero: .symmetric(8))
  }
  var block: Int { 32 }
  var blockByteCount: Int { 18 }
  var packing: CodePacking? { .halves }

  @inline(__always)
  func unpack(
    _ bytes: FileBytes, at: Int, index: Int, codes: inout MutableSpan<UInt8>,
    scales: inout MutableSpan<UInt8>, offsets: inout MutableSpan<UInt8>
  ) {
    scales.store(bytes.load(UInt16.self, at: at), at: 2 * index)
    codes.storeNibbles(of: bytes, at: at + 2, to: 32 * index)
  }
}
