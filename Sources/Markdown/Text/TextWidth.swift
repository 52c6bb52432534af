import CUTF8Proc

/// How much of a terminal text takes.
///
/// Terminals disagree about emoji made of several scalars. The width here is the most that any of
/// them takes: a row may then end early, but never runs over its end.
package enum TextWidth {
  /// The columns of a scalar: 2 for most of East Asia and emoji, 0 for what combines.
  package static func columns(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value >= 0x20, scalar.value < 0x7F { return 1 }
    return max(0, Int(utf8proc_charwidth(Int32(bitPattern: scalar.value))))
  }

  /// The columns of a grapheme cluster.
  package static func columns(_ character: Character) -> Int {
    var width = 0
    var scalars = 0
    var isEmoji = false
    for scalar in character.unicodeScalars {
      width += columns(scalar)
      scalars += 1
      if scalar == "\u{FE0F}" { isEmoji = true }
    }
    return isEmoji && scalars == 2 ? max(width, 2) : width
  }

  package static func columns(_ text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + columns($1) }
  }

  /// The rows that the cursor goes down while text is drawn from the left edge.
  package static func rows(_ text: String, columns: Int) -> Int {
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
