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

  /// Whether all terminals take the same columns for a text: not where a cluster is more than a
  /// character with marks, such as a family, a flag or a heart in colour.
  package static func isCertain(_ text: String) -> Bool {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return true }
    return text.allSatisfy { character in
      let scalars = character.unicodeScalars
      guard let first = scalars.first, scalars.count > 1 else { return true }
      return scalars.dropFirst().allSatisfy { scalar in
        columns(scalar) == 0 && scalar != "\u{200D}" && scalar != "\u{FE0F}"
      } && columns(first) > 0
    }
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
