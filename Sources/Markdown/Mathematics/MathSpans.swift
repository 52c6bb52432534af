// Mathematics is taken out before the text is parsed, because Markdown would take its backslashes,
// underscores and stars for its own. A number between two control characters, which are first removed
// from the text, stands for each span; code is left alone.

/// Finds `\(…\)`, `\[…\]`, `$…$` and `$$…$$` in Markdown.
enum MathSpans {
  enum Piece {
    case text(String)
    case placeholder(Int)
  }

  private static let opening: Unicode.Scalar = "\u{1}"
  private static let closing: Unicode.Scalar = "\u{2}"

  /// The text with placeholders, the spans with their delimiters, and for each line of that text
  /// the line of the source that it begins on.
  static func replaced(in source: String) -> (text: String, spans: [String], lines: [Int]) {
    var scanner = Scanner(
      source.unicodeScalars.filter { $0 != opening && $0 != closing && $0 != "\0" })
    scanner.run()
    return (String(scanner.result), scanner.spans, scanner.lines)
  }

  /// A text cut at its placeholders.
  static func pieces(of text: String) -> [Piece] {
    guard text.unicodeScalars.contains(opening) else { return [.text(text)] }
    var pieces: [Piece] = []
    var current = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case opening:
        if !current.isEmpty { pieces.append(.text(String(current))) }
        current = String.UnicodeScalarView()
      case closing:
        if let index = Int(String(current)) { pieces.append(.placeholder(index)) }
        current = String.UnicodeScalarView()
      default:
        current.append(scalar)
      }
    }
    if !current.isEmpty { pieces.append(.text(String(current))) }
    return pieces
  }

  private struct Scanner {
    let scalars: [Unicode.Scalar]
    var result = String.UnicodeScalarView()
    var spans: [String] = []
    var lines = [0]
    private var index = 0
    private var line = 0

    init(_ scalars: [Unicode.Scalar]) {
      self.scalars = scalars
    }

    mutating func run() {
      var isLineStart = true
      while index < scalars.count {
        if isLineStart, let fence = fenceLength() {
          copyFenced(fence)
          continue
        }
        let scalar = scalars[index]
        isLineStart = scalar == "\n"
        switch scalar {
        case "`": copyCode()
        case "\\": takeBackslash()
        case "$": takeDollar()
        default: copy(1)
        }
      }
    }

    private mutating func copy(_ count: Int) {
      for _ in 0..<count where index < scalars.count {
        result.append(scalars[index])
        if scalars[index] == "\n" {
          line += 1
          lines.append(line)
        }
        index += 1
      }
    }

    private func run(of scalar: Unicode.Scalar, at start: Int) -> Int {
      scalars[start...].prefix { $0 == scalar }.count
    }

    /// The length of a fence that begins this line.
    private func fenceLength() -> Int? {
      var start = index
      // Within a list or a quote a fence stands further in.
      while start < scalars.count, " >\t".unicodeScalars.contains(scalars[start]) { start += 1 }
      guard start < scalars.count, scalars[start] == "`" || scalars[start] == "~" else {
        return nil
      }
      let length = run(of: scalars[start], at: start)
      return length >= 3 ? length : nil
    }

    private mutating func copyLine() {
      let end = scalars[index...].firstIndex(of: "\n") ?? scalars.count - 1
      copy(end - index + 1)
    }

    private mutating func copyFenced(_ length: Int) {
      copyLine()
      while index < scalars.count {
        let closes = fenceLength().map { $0 >= length } ?? false
        copyLine()
        if closes { return }
      }
    }

    /// A code span, or backticks that open none.
    private mutating func copyCode() {
      let length = run(of: "`", at: index)
      var place = index + length
      while place < scalars.count {
        if scalars[place] == "`" {
          let other = run(of: "`", at: place)
          if other == length { return copy(place + other - index) }
          place += other
        } else if isParagraphEnd(place) {
          break
        } else {
          place += 1
        }
      }
      copy(length)
    }

    private func isParagraphEnd(_ place: Int) -> Bool {
      guard scalars[place] == "\n" else { return false }
      let next = scalars[(place + 1)...].prefix { $0 == " " || $0 == "\t" }.count + place + 1
      return next < scalars.count && scalars[next] == "\n"
    }

    private mutating func takeBackslash() {
      let next = index + 1 < scalars.count ? scalars[index + 1] : nil
      switch next {
      case "(": take(openedBy: 2, until: ["\\", ")"], mayBeOpen: true)
      case "[": take(openedBy: 2, until: ["\\", "]"], mayBeOpen: true)
      default: copy(2)
      }
    }

    private mutating func takeDollar() {
      if run(of: "$", at: index) >= 2 {
        take(openedBy: 2, until: ["$", "$"], mayBeOpen: true)
        return
      }
      if let end = inlineDollarEnd() {
        replace(through: end)
      } else {
        copy(1)
      }
    }

    /// Where a single `$` is closed, by the rules that tell mathematics from prices: no space
    /// inside the delimiters, no letter or digit outside them, all on one line.
    private func inlineDollarEnd() -> Int? {
      func isWord(_ place: Int) -> Bool {
        scalars.indices.contains(place) && scalars[place].properties.isAlphabetic
          || scalars.indices.contains(place) && ("0"..."9").contains(scalars[place])
      }
      guard index + 1 < scalars.count, !isWord(index - 1),
        !scalars[index + 1].properties.isWhitespace
      else { return nil }
      var place = index + 1
      while place < scalars.count, scalars[place] != "\n" {
        if scalars[place] == "\\" {
          place += 2
          continue
        }
        if scalars[place] == "$" {
          let isClosing =
            place > index + 1 && !scalars[place - 1].properties.isWhitespace && !isWord(place + 1)
          return isClosing ? place : nil
        }
        place += 1
      }
      return nil
    }

    private mutating func take(
      openedBy length: Int, until end: [Unicode.Scalar], mayBeOpen: Bool
    ) {
      var place = index + length
      while place < scalars.count {
        if scalars[place] == end[0], place + 1 < scalars.count, scalars[place + 1] == end[1] {
          return replace(through: place + 1)
        }
        if isParagraphEnd(place) { break }
        place += scalars[place] == "\\" ? 2 : 1
      }
      // At the end of what has come so far the span may still be being written.
      if mayBeOpen, place >= scalars.count, scalars.count > index + length {
        return replace(through: scalars.count - 1)
      }
      copy(length)
    }

    private mutating func replace(through end: Int) {
      var span = String.UnicodeScalarView()
      for scalar in scalars[index...end] {
        span.append(scalar)
        if scalar == "\n" { line += 1 }
      }
      result.append(MathSpans.opening)
      result.append(contentsOf: String(spans.count).unicodeScalars)
      result.append(MathSpans.closing)
      spans.append(String(span))
      index = end + 1
    }
  }
}
