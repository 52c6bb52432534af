import Kernels

/// 32 weights in 34 bytes: d, then signed bytes; w = d·(u − 128).
struct Q8_0: BlockLayout {
  var format: MatrixFormat {
    .grouped(bits: 8, group: 32, scale: .float16, zero: .symmetric(128))
  }
  var block: Int { 32 }
  var blockByteCount: Int { 34 }

  @inline(__always)
  func unpack(
    _ bytes: FileBytes, at: Int, index: Int, codes: inout MutableSpan<UInt8>,
    scales: inout MutableSpan<UInt8>, offsets: inout MutableSpan<UInt8>
  ) {
    let signs: UInt64 = 0x8080_8080_8080_8080
    scales.store(bytes.load(UInt16.self, at: at), at: 2 * index)
    for part in 0..<4 {
      codes.store(
        bytes.load(UInt64.self, at: at + 2 + 8 * part) ^ signs, at: 32 * index + 8 * part)
    }
  }
}
