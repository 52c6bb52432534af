/// A piece of a text around what was found in it, on one line.
package struct Snippet: Sendable, Hashable {
  package var text: String
  /// What was found, as ranges of `text`'s characters in ascending order.
  package var matches: [Range<Int>]

  /// Characters before and after the first match.
  private static let context = 60

  package init(text: String, matches: [Range<Int>]) {
    self.text = text
    self.matches = matches
  }

  /// The surroundings of the first match of any term; the beginning when there is none.
  init(of text: String, _ query: SearchQuery) {
    let bytes = Array(text.utf8)
    let first = query.terms.compactMap { $0.plain.firstMatch(in: bytes, 0..<bytes.count) }
      .map(\.lowerBound).min()
    let utf8 = text.utf8
    let start = utf8.index(utf8.startIndex, offsetBy: first ?? 0)
    var lower =
      text.index(start, offsetBy: -Self.context, limitedBy: text.startIndex)
      ?? text.startIndex
    var upper =
      text.index(start, offsetBy: 2 * Self.context, limitedBy: text.endIndex)
      ?? text.endIndex
    // A word that is cut says nothing.
    if lower > text.startIndex {
      lower = text[lower..<start].firstIndex(where: \.isWhitespace) ?? lower
    }
    if upper < text.endIndex {
      upper = text[start..<upper].lastIndex(where: \.isWhitespace) ?? upper
    }
    var line = text[lower..<upper].split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if lower > text.startIndex { line = "… " + line }
    if upper < text.endIndex { line += " …" }
    self.init(text: line, matches: Self.matches(in: line, query))
  }

  private static func matches(in line: String, _ query: SearchQuery) -> [Range<Int>] {
    let bytes = Array(line.utf8)
    var found: [Range<Int>] = []
    for term in query.terms {
      var rest = 0..<bytes.count
      while let match = term.plain.firstMatch(in: bytes, rest) {
        found.append(match)
        rest = match.upperBound..<bytes.count
      }
    }
    found.sort { $0.lowerBound < $1.lowerBound }
    var merged: [Range<Int>] = []
    for match in found {
      if let last = merged.last, match.lowerBound <= last.upperBound {
        merged[merged.count - 1] =
          last.lowerBound..<max(last.upperBound, match.upperBound)
      } else {
        merged.append(match)
      }
    }
    return characters(merged, in: line)
  }

  /// Ranges of characters for ranges of bytes; a character of which a part is in is in.
  private static func characters(_ ranges: [Range<Int>], in line: String) -> [Range<Int>] {
    var starts: [Int] = []
    var offset = 0
    for character in line {
      starts.append(offset)
      offset += character.utf8.count
    }
    return ranges.map { range in
      let lower = (starts.lastIndex { $0 <= range.lowerBound }) ?? 0
      let upper = (starts.firstIndex { $0 >= range.upperBound }) ?? starts.count
      return lower..<max(upper, lower)
    }
  }
}
