/// Marks in untrusted text that keep control tokens from forming in it.
///
/// A *guard* is U+FDD0 U+FDD1, at a place that no control token may span. Both are noncharacters,
/// which no text should hold; a real one is doubled, so that a run of them is read in pairs
/// whatever contents are joined. Guards are put
///
/// - after the first character of every control literal in the content (around it if it is the
///   only one);
/// - where the content, with or without the white space around it that templates trim, begins
///   with the end of a control literal, ends with the beginning of one, or is a part of one, so
///   that none forms across the edge.
///
/// Encoding takes the guards out again before anything but the search for special tokens sees
/// the text, so the ids are those of the text without guards, control tokens in content aside.
enum Guard {
  private static let first: [UInt8] = [0xEF, 0xB7, 0x90]
  private static let second: [UInt8] = [0xEF, 0xB7, 0x91]

  /// U+FDD0 or U+FDD1 at `position`.
  private static func noncharacter(in text: Span<UInt8>, at position: Int) -> [UInt8]? {
    guard text[position] == 0xEF, position + 2 < text.count, text[position + 1] == 0xB7 else {
      return nil
    }
    switch text[position + 2] {
    case 0x90: return first
    case 0x91: return second
    default: return nil
    }
  }

  static func isPresent(in text: Span<UInt8>) -> Bool {
    for position in 0..<text.count where noncharacter(in: text, at: position) != nil {
      return true
    }
    return false
  }

  /// `text` without its guards, and their places in what is returned, ascending.
  ///
  /// A single U+FDD0 is a guard too.
  static func removed(from text: Span<UInt8>) -> (text: [UInt8], guards: [Int]) {
    var plain: [UInt8] = []
    plain.reserveCapacity(text.count)
    var guards: [Int] = []
    var position = 0
    while position < text.count {
      guard let mark = noncharacter(in: text, at: position) else {
        plain.append(text[position])
        position += 1
        continue
      }
      position += mark.count
      let partner = position < text.count ? noncharacter(in: text, at: position) : nil
      if mark == first, partner != first {
        guards.append(plain.count)
      } else {
        plain.append(contentsOf: mark)
      }
      if partner == mark || mark == first && partner == second { position += mark.count }
    }
    return (plain, guards)
  }

  /// `content` with guards against the control literals of `matcher`.
  static func guarded(_ content: String, against matcher: LiteralMatcher) -> [UInt8] {
    let bytes = Array(content.utf8)
    let text = bytes.span
    var places: [Int] = []
    for position in 0..<text.count {
      matcher.forEachLiteral(in: text, at: position) { literal in
        guard literal.isControl else { return }
        if literal.isSingleScalar {
          places += [position, position + literal.bytes.count]
        } else {
          places.append(position + characterLength(literal.bytes[0]))
        }
      }
    }
    let leading = content.unicodeScalars.prefix(while: isTrimmed)
    let trailing = content.unicodeScalars.reversed().prefix(while: isTrimmed)
    let leadingCount = leading.reduce(0) { $0 + UTF8.width($1) }
    let trailingCount = trailing.reduce(0) { $0 + UTF8.width($1) }
    appendEdges(of: text, in: 0..<text.count, matcher, to: &places)
    if leadingCount + trailingCount > 0, leadingCount < text.count {
      appendEdges(of: text, in: leadingCount..<text.count - trailingCount, matcher, to: &places)
    }
    return marked(text, at: places)
  }

  /// `text` with its noncharacters doubled and guards at `places`, which may be in any order and
  /// some more than once.
  private static func marked(_ text: Span<UInt8>, at places: [Int]) -> [UInt8] {
    var places = places.sorted()[...]
    var marked: [UInt8] = []
    marked.reserveCapacity(text.count + 6 * places.count)
    for position in 0...text.count {
      if places.first == position {
        marked += first
        marked += second
        while places.first == position { places.removeFirst() }
      }
      guard position < text.count else { break }
      if let real = noncharacter(in: text, at: position) { marked += real }
      marked.append(text[position])
    }
    return marked
  }

  private static func appendEdges(
    of content: Span<UInt8>, in edges: Range<Int>, _ matcher: LiteralMatcher,
    to places: inout [Int]
  ) {
    guard !edges.isEmpty else { return }
    for literal in matcher.literals where literal.isControl {
      let bytes = literal.bytes.span
      for length in stride(from: 1, to: min(bytes.count, edges.count + 1), by: 1) {
        if equal(content, edges.lowerBound, bytes, bytes.count - length, length) {
          places.append(edges.lowerBound)
        }
        if equal(content, edges.upperBound - length, bytes, 0, length) {
          places.append(edges.upperBound)
        }
      }
      guard edges.count < bytes.count else { continue }
      for offset in 0...bytes.count - edges.count
      where equal(content, edges.lowerBound, bytes, offset, edges.count) {
        places += [edges.lowerBound, edges.upperBound]
      }
    }
  }

  private static func equal(
    _ first: Span<UInt8>, _ firstStart: Int, _ second: Span<UInt8>, _ secondStart: Int,
    _ count: Int
  ) -> Bool {
    for offset in 0..<count where first[firstStart + offset] != second[secondStart + offset] {
      return false
    }
    return true
  }

  /// What Python's `strip()`, and so a template's `trim`, takes off.
  private static func isTrimmed(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || (0x1C...0x1F).contains(scalar.value)
  }

  private static func characterLength(_ lead: UInt8) -> Int {
    switch lead {
    case 0xF0...: 4
    case 0xE0...: 3
    case 0xC0...: 2
    default: 1
    }
  }
}
