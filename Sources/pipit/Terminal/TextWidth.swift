import CUTF8Proc

/// How much of a terminal text takes.
enum TextWidth {
  /// The columns of a scalar: 2 for most of East Asia and emoji, 0 for what combines.
  static func columns(_ scalar: Unicode.Scalar) -> Int {
    max(0, Int(utf8proc_charwidth(Int32(bitPattern: scalar.value))))
  }

  /// The rows that the cursor goes down while text is drawn from the left edge.
  static func rows(_ text: String, columns: Int) -> Int {
    var row = 0
    var column = 0
    for scalar in text.unicodeScalars {
      if scalar == "\n" {
        row += 1
        column = 0
        continue
      }
      let width = Self.columns(scalar)
      if column + width > columns {
        row += 1
        column = 0
      }
      column += width
    }
    return column >= columns ? row + 1 : row
  }
}
