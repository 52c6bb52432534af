import Kernels

/// Rows of plain float32, float16 or bfloat16 elements.
struct DenseRows: RowSource {
  let name: String
  let rows: Int
  let columns: Int
  let type: ScaleType
  let bytes: FileBytes

  var format: MatrixFormat { .dense(type) }
  var sourceByteCount: Int { bytes.count }

  /// `bytes` holds `rows` × `columns` elements.
  init(name: String, rows: Int, columns: Int, type: ScaleType, bytes: FileBytes) {
    precondition(bytes.count == rows * columns * type.byteCount)
    self.name = name
    self.rows = rows
    self.columns = columns
    self.type = type
    self.bytes = bytes
  }

  private var rowByteCount: Int { columns * type.byteCount }

  func unpack(
    row: Int, codes: inout MutableSpan<UInt8>, scales: inout MutableSpan<UInt8>,
    offsets: inout MutableSpan<UInt8>
  ) {
    precondition(row >= 0 && row < rows)
    bytes.copy(from: row * rowByteCount, count: rowByteCount, to: &scales)
  }

  func release(rows range: Range<Int>) {
    bytes.release(range.lowerBound * rowByteCount..<range.upperBound * rowByteCount)
  }
}
