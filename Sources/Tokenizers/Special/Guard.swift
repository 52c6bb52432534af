/// Marks in untrusted text that keep control tokens from forming in it.
///
/// A *guard* is a single U+FDD0 or U+FDD1 at a place that no control token may span. Both are
/// noncharacters, which no text should hold; a real one is doubled. Guards are put
///
/// - after the first character of every control literal in the content (a literal of one
///   character has them on both sides);
/// - where the content, with or without the white space around it that templates trim, begins
///   with the end of a control literal, ends with the beginning of one, or is a part of one, so
///   that none forms across the edge.
///
/// Guards that end something are U+FDD1 and the others U+FDD0: contents that are joined without
/// anything between then never have their guards taken for a doubled character.
///
/// Encoding takes the guards out again before anything but the search for special tokens sees
/// the text, so the ids are those of the text without guards, control tokens in content aside.
enum Guard {
  private static let lead: UInt8 = 0xEF
  private static let middle: UInt8 = 0xB7
  /// The last bytes of U+FDD0 and U+FDD1.
  private static let opening: UInt8 = 0x90
  private static let closing: UInt8 = 0x91

  /// The last byte of the noncharacter at `position`, if there is one.
  private static func kind(in text: Span<UInt8>, at position: Int) -> UInt8? {
    guard text[position] == lead, position + 2 < text.count, text[position + 1] == middle,
      text[position + 2] == opening || text[position + 2] == closing
    else { return nil }
    return text[position + 2]
  }

  static func isPresent(in text: Span<UInt8>) -> Bool {
    for position in 0..<text.count where kind(in: text, at: position) != nil { return true }
    return false
  }

  /// `text` without its guards, and their places in what is returned, ascending.
  static func removed(from text: Span<UInt8>) -> (text: [UInt8], guards: [Int]) {
    var plain: [UInt8] = []
    plain.reserveCapacity(text.count)
    var guards: [Int] = []
    var position = 0
    while position < text.count {
      guard let kind = kind(in: text, at: position) else {
        plain.append(text[position])
        position += 1
        continue
      }
      position += 3
      if position < text.count, Self.kind(in: text, at: position) == kind {
        plain.append(contentsOf: [lead, middle, kind])
        position += 3
      } else {
        guards.append(plain.count)
      }
    }
    return (plain, guards)
  }

  /// `content` with guards against the control literals of `matcher`.
  static func guarded(_ content: String, against matcher: LiteralMatcher) -> [UInt8] {
    let bytes = Array(content.utf8)
    let text = bytes.span
    var places = Places()
    for position in 0..<text.count {
      matcher.forEachLiteral(in: text, at: position) { literal in
        guard literal.isControl else { return }
        if literal.isSingleScalar {
          places.opening.append(position)
          places.closing.append(position + literal.bytes.count)
        } else {
          places.opening.append(position + characterLength(literal.bytes[0]))
        }
      }
    }
    let leading = content.unicodeScalars.prefix(while: isTrimmed)
    let trailing = content.unicodeScalars.reversed().prefix(while: isTrimmed)
    let leadingCount = leading.reduce(0) { $0 + UTF8.width($1) }
    let trailingCount = trailing.reduce(0) { $0 + UTF8.width($1) }
    let whole = 0..<text.count
    findEdges(of: text, in: whole, matcher, &places)
    if leadingCount + trailingCount > 0, leadingCount < text.count {
      findEdges(of: text, in: leadingCount..<text.count - trailingCount, matcher, &places)
    }
    return marked(text, places)
  }

  /// Where guards go, in any order, some of them more than once.
  private struct Places {
    var opening: [Int] = []
    var closing: [Int] = []
  }

  private static func marked(_ text: Span<UInt8>, _ places: Places) -> [UInt8] {
    var opening = places.opening.sorted()[...]
    var closing = places.closing.sorted()[...]
    var marked: [UInt8] = []
    marked.reserveCapacity(text.count + 3 * (opening.count + closing.count))
    for position in 0...text.count {
      if closing.first == position {
        while closing.first == position { closing.removeFirst() }
        marked.append(contentsOf: [lead, middle, Self.closing])
      }
      if opening.first == position {
        while opening.first == position { opening.removeFirst() }
        marked.append(contentsOf: [lead, middle, Self.opening])
      }
      guard position < text.count else { break }
      if let kind = kind(in: text, at: position) {
        marked.append(contentsOf: [lead, middle, kind])
      }
      marked.append(text[position])
    }
    return marked
  }

  private static func findEdges(
    of content: Span<UInt8>, in edges: Range<Int>, _ matcher: LiteralMatcher,
    _ places: inout Places
  ) {
    guard !edges.isEmpty else { return }
    for literal in matcher.literals where literal.isControl {
      let bytes = literal.bytes.span
      for length in stride(from: 1, to: min(bytes.count, edges.count + 1), by: 1) {
        if equal(content, edges.lowerBound, bytes, bytes.count - length, length) {
          places.opening.append(edges.lowerBound)
        }
        if equal(content, edges.upperBound - length, bytes, 0, length) {
          places.closing.append(edges.upperBound)
        }
      }
      guard edges.count < bytes.count else { continue }
      for offset in 0...bytes.count - edges.count
      where equal(content, edges.lowerBound, bytes, offset, edges.count) {
        places.opening.append(edges.lowerBound)
        places.closing.append(edges.upperBound)
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
