/// Titles made of what was said first.
package enum ConversationTitle {
  /// The most characters of a title.
  package static let limit = 60
  /// What a conversation without words is called.
  package static let untitled = "Untitled"

  /// The first line with something to see, without control characters and cut between words; nil
  /// when there is none.
  package static func make(from text: String) -> String? {
    for line in text.split(whereSeparator: \.isNewline) {
      let title = cut(clean(line))
      if !title.isEmpty { return title }
    }
    return nil
  }

  /// A title that a user has typed, on one line; nil when nothing is left of it.
  package static func chosen(_ text: String) -> String? {
    let title = clean(text[...])
    return title.isEmpty ? nil : String(title.prefix(200))
  }

  /// Without characters that a terminal would obey, or that change the order of others, and with
  /// one space in place of several.
  private static func clean(_ line: Substring) -> String {
    var scalars = String.UnicodeScalarView()
    var pendingSpace = false
    for scalar in line.unicodeScalars {
      if scalar.properties.isWhitespace {
        pendingSpace = !scalars.isEmpty
        continue
      }
      if scalar.properties.generalCategory == .control || isDirectional(scalar) { continue }
      if pendingSpace { scalars.append(" ") }
      pendingSpace = false
      scalars.append(scalar)
    }
    return String(scalars)
  }

  private static func isDirectional(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }

  private static func cut(_ line: String) -> String {
    guard line.count > limit else { return line }
    let head = line.prefix(limit)
    // A line of one long word, or in a script without spaces, is cut where it is.
    guard let space = head.lastIndex(of: " "),
      head.distance(from: head.startIndex, to: space) >= limit / 2
    else { return head + "…" }
    return head[..<space] + "…"
  }
}
