/// Why a matrix cannot be prepared.
package enum MatrixError: Error, Hashable, CustomStringConvertible {
  case unsupportedFormat(name: String, MatrixFormat)
  case unsupportedShape(name: String, rows: Int, columns: Int, multiple: Int)
  case tooLarge(name: String, rows: Int, columns: Int)
  /// `group` counts the row's scales, offsets or dense elements from 0.
  case notFinite(name: String, row: Int, group: Int)
  case outOfMemory(name: String, byteCount: Int)

  package var description: String {
    switch self {
    case .unsupportedFormat(let name, let format):
      "The matrix “\(name)” has a format that is not supported: \(format)."
    case .unsupportedShape(let name, let rows, let columns, let multiple):
      "The matrix “\(name)” has \(rows) rows of \(columns) inputs; in its format the inputs must be "
        + "a positive multiple of \(multiple)."
    case .tooLarge(let name, let rows, let columns):
      "The matrix “\(name)” is too large: \(rows) rows of \(columns) inputs."
    case .notFinite(let name, let row, let group):
      "The matrix “\(name)” holds a value that is not finite, in row \(row), group \(group)."
    case .outOfMemory(let name, let byteCount):
      "There is no memory for the matrix “\(name)”, which needs \(byteCount) bytes."
    }
  }
}
