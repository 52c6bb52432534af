import Kernels

/// 32 weights in 22 bytes: d, 32 fifth bits, then nibbles; w = d·(u − 16).
struct Q5_0: BlockLayout {
  var format: MatrixFormat {
    .grouped(bits: 5, group: 32, scale: .float16, zero: .symmetric(16))
  }
  var block: Int { 32 }
  var blockByteCount: Int { 22 }

  @inline(__always)
  func unpack(
    _ bytes: FileBytes, at: Int, index: Int, codes: inout MutableSpan<UInt8>,
    scales: inout MutableSpan<UInt8>, offsets: inout MutableSpan<UInt8>
  ) {
    scales.store(bytes.load(UInt16.self, at: at), at: 2 * index)
    codes.storeNibbles(
      of: bytes, at: at + 6, fifth: bytes.load(at: at + 2), to: 32 * index)
  }
}
