import Kernels

/// 32 weights in 20 bytes: d, m, then nibbles; w = d·u + m.
struct Q4_1: BlockLayout {
  var format: MatrixFormat {
    .grouped(bits: 4, group: 32, scale: .float16, zero: .affine)
  }
  var block: Int { 32 }
  var blockByteCount: Int { 20 }
  var packing: CodePacking? { .halves }

  @inline(__always)
  func unpack(
    _ bytes: FileBytes, at: Int, index: Int, codes: inout MutableSpan<UInt8>,
    scales: inout MutableSpan<UInt8>, offsets: inout MutableSpan<UInt8>
  ) {
    scales.store(bytes.load(UInt16.self, at: at), at: 2 * index)
    offsets.store(bytes.load(UInt16.self, at: at + 2), at: 2 * index)
    codes.storeNibbles(of: bytes, at: at + 4, to: 32 * index)
  }
}
