import Kernels

/// Every width, group and kind of zero with float16 scales, and what stands alone.
let benchmarkFormats: [(name: String, MatrixFormat)] = {
  var formats: [(name: String, MatrixFormat)] = []
  for bits in [8, 6, 5, 4, 3, 2, 1] {
    for group in [16, 32, 64, 128] {
      formats.append(
        (
          "\(bits)-bit g\(group) symmetric",
          .grouped(
            bits: bits, group: group, scale: .float16, zero: .symmetric(1 << (bits - 1)))
        ))
      formats.append(
        (
          "\(bits)-bit g\(group) affine",
          .grouped(bits: bits, group: group, scale: .float16, zero: .affine)
        ))
    }
  }
  for group in [32, 128] {
    formats.append(
      ("1-bit g\(group) signs", .grouped(bits: 1, group: group, scale: .float16, zero: .signs)))
  }
  formats += [
    ("4-bit g64 affine bf16", .grouped(bits: 4, group: 64, scale: .bfloat16, zero: .affine)),
    ("Q4_K", .superblockAffine(bits: 4)), ("Q5_K", .superblockAffine(bits: 5)),
    ("Q6_K", .superblockSymmetric), ("f16", .dense(.float16)), ("bf16", .dense(.bfloat16)),
    ("f32", .dense(.float32)),
  ]
  return formats
}()

/// Rows that cost next to nothing to unpack.
struct PatternSource: RowSource {
  let name = "pattern"
  let rows: Int
  let columns: Int
  let format: MatrixFormat

  var sourceByteCount: Int { 0 }

  func unpack(
    row: Int, codes: inout MutableSpan<UInt8>, scales: inout MutableSpan<UInt8>,
    offsets: inout MutableSpan<UInt8>
  ) {
    fill(&codes, UInt8(truncatingIfNeeded: row * 31))
    fill(&scales, 0x11)
    fill(&offsets, 0x12)
  }

  private func fill(_ span: inout MutableSpan<UInt8>, _ value: UInt8) {
    span.update(repeating: value)
  }
}
