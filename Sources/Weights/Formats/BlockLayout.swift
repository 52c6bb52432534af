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
    var at = row * rowByteCount
    for index in 0..<columns / layout.block {
      layout.unpack(
        bytes, at: at, index: index, codes: &codes, scales: &scales, offsets: &offsets)
      at += layout.blockByteCount
    }
  }

  func release(rows range: Range<Int>) {
    bytes.release(range.lowerBound * rowByteCount..<range.upperBound * rowByteCount)
  }
}
