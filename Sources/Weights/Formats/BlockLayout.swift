import Kernels

/// How a GGUF type packs a block of weights.
///
/// A block is unpacked eight codes at a time in 64-bit words: that vectorises, needs no intrinsics,
/// and is faster than the memory the codes come from.
protocol BlockLayout: Sendable {
  /// The unpacked form.
  var format: MatrixFormat { get }
  /// Weights of a block.
  var block: Int { get }
  /// Bytes of a block.
  var blockByteCount: Int { get }
  /// Unpacks the block that starts at `at` as the row's block number `index`.
  func unpack(
    _ bytes: FileBytes, at: Int, index: Int, codes: inout MutableSpan<UInt8>,
    scales: inout MutableSpan<UInt8>, offsets: inout MutableSpan<UInt8>)

  /// Unpacks `count` blocks from `at` on.
  ///
  /// A requirement so that each layout has its own, of which its blocks are a part: rows know their
  /// layout as a type parameter only.
  func unpack(
    _ bytes: FileBytes, at: Int, count: Int, codes: inout MutableSpan<UInt8>,
    scales: inout MutableSpan<UInt8>, offsets: inout MutableSpan<UInt8>)

  /// How the codes of a block lie in its last bytes, where all before them is a scale of two bytes
  /// and, if affine, an offset of two; nil if it is not made so.
  var packing: CodePacking? { get }
}

extension BlockLayout {
  var packing: CodePacking? { nil }

  @inline(__always)
  func unpack(
    _ bytes: FileBytes, at: Int, count: Int, codes: inout MutableSpan<UInt8>,
    scales: inout MutableSpan<UInt8>, offsets: inout MutableSpan<UInt8>
  ) {
    for index in 0..<count {
      unpack(
        bytes, at: at + index * blockByteCount, index: index, codes: &codes, scales: &scales,
        offsets: &offsets)
    }
  }
}

/// The rows of a matrix in one of GGUF's block formats.
struct BlockRows<Layout: BlockLayout>: RowSource {
  let name: String
  let rows: Int
  let columns: Int
  let layout: Layout
  let bytes: FileBytes

  var format: MatrixFormat { layout.format }
  var sourceByteCount: Int { bytes.count }
  var packing: CodePacking? { layout.packing }

  /// `bytes` holds `rows` rows of `columns / block` blocks.
  init(name: String, rows: Int, columns: Int, layout: Layout, bytes: FileBytes) {
    precondition(columns % layout.block == 0)
    precondition(bytes.count == rows * (columns / layout.block) * layout.blockByteCount)
    self.name = name
    self.rows = rows
    self.columns = columns
    self.layout = layout
    self.bytes = bytes
  }

  private var rowByteCount: Int { columns / layout.block * layout.blockByteCount }

  func unpack(
    row: Int, codes: inout MutableSpan<UInt8>, scales: inout MutableSpan<UInt8>,
    offsets: inout MutableSpan<UInt8>
  ) {
    precondition(row >= 0 && row < rows)
    layout.unpack(
      bytes, at: row * rowByteCount, count: columns / layout.block, codes: &codes, scales: &scales,
      offsets: &offsets)
  }

  func copy(
    row: Int, codes: inout MutableSpan<UInt8>, scales: inout MutableSpan<UInt8>,
    offsets: inout MutableSpan<UInt8>
  ) {
    precondition(row >= 0 && row < rows)
    let blocks = FileBlocks(
      start: row * rowByteCount, count: columns / layout.block, stride: layout.blockByteCount)
    let header = format.isAffine ? 4 : 2
    bytes.copy(blocks, from: 0, count: 2, to: &scales)
    if format.isAffine { bytes.copy(blocks, from: 2, count: 2, to: &offsets) }
    bytes.copy(blocks, from: header, count: layout.blockByteCount - header, to: &codes)
  }

  func release(rows range: Range<Int>) {
    bytes.release(range.lowerBound * rowByteCount..<range.upperBound * rowByteCount)
  }
}
