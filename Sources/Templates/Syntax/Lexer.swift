// The lexer applies Jinja's whitespace control with the settings chat templates are written for:
//
//   trim_blocks    the first newline after a block or comment tag goes away ("+%}" keeps it);
//   lstrip_blocks  blanks between the start of a line and a block or comment tag go away ("{%+"
//                  keeps them; output tags are not affected);
//   "-"            inside any tag strips all white space on its side.
//
// One newline at the very end of the template is dropped, and line ends are "\n" throughout.

/// Splits a template into tokens.
struct Lexer {
  let source: [Unicode.Scalar]
  var position = 0
  var location = SourceLocation(line: 1, column: 1)
  var tokens: [Token] = []
  /// Closing brackets that are due, innermost last.
  var openBrackets: [Token.Symbol] = []

  private init(_ text: String) {
    var scalars: [Unicode.Scalar] = []
    scalars.reserveCapacity(text.utf8.count)
    var afterCarriageReturn = false
    for scalar in text.unicodeScalars {
      if scalar == "\r" {
        scalars.append("\n")
      } else if !(scalar == "\n" && afterCarriageReturn) {
        scalars.append(scalar)
      }
      afterCarriageReturn = scalar == "\r"
    }
    if scalars.last == "\n" { scalars.removeLast() }
    source = scalars
  }

  /// The tokens of a whole template, ending with `.end`.
  static func tokens(of text: String) throws(TemplateError) -> [Token] {
    var lexer = Lexer(text)
    while lexer.position < lexer.source.count {
      try lexer.readTextAndTag()
    }
    lexer.append(.end, at: lexer.location)
    return lexer.tokens
  }

  func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    let index = position + distance
    return index < source.count ? source[index] : nil
  }

  func matches(_ literal: StaticString, at index: Int) -> Bool {
    var index = index
    for scalar in literal.description.unicodeScalars {
      guard index < source.count, source[index] == scalar else { return false }
      index += 1
    }
    return true
  }

  mutating func advance(_ count: Int = 1) {
    for _ in 0..<count where position < source.count {
      if source[position] == "\n" {
        location.line += 1
        location.column = 1
      } else {
        location.column += 1
      }
      position += 1
    }
  }

  mutating func skipWhitespace() {
    while let next = peek(), next.isPythonSpace { advance() }
  }

  mutating func append(_ kind: Token.Kind, at place: SourceLocation) {
    tokens.append(Token(kind: kind, location: place))
  }

  func malformed(_ message: String, at place: SourceLocation? = nil) -> TemplateError {
    TemplateError(.syntax(message), at: place ?? location)
  }

  /// Reads text up to the next tag, and the tag.
  private mutating func readTextAndTag() throws(TemplateError) {
    let start = position
    let place = location
    var end = position
    while end < source.count, !isTagStart(end) { end += 1 }
    guard end < source.count else {
      appendText(start..<end, at: place)
      advance(end - start)
      return
    }
    let isOutput = source[end + 1] == "{"
    let textEnd = strippedEnd(of: start..<end, tag: end, isOutput: isOutput)
    appendText(start..<textEnd, at: place)
    advance(end - start)
    if source[end + 1] == "#" {
      try readComment()
    } else if isOutput {
      try readOutput()
    } else if let raw = rawTagEnd("raw", at: end) {
      try readRaw(after: raw)
    } else {
      try readBlock()
    }
  }

  private func isTagStart(_ index: Int) -> Bool {
    guard source[index] == "{", index + 1 < source.count else { return false }
    let next = source[index + 1]
    return next == "{" || next == "%" || next == "#"
  }

  private mutating func appendText(_ range: Range<Int>, at place: SourceLocation) {
    guard !range.isEmpty else { return }
    append(.text(text(range)), at: place)
  }

  func text(_ range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: source[range])
    return String(text)
  }

  /// Where the text before a tag ends once whitespace control has been applied.
  private func strippedEnd(of range: Range<Int>, tag: Int, isOutput: Bool) -> Int {
    let sign = tag + 2 < source.count ? source[tag + 2] : " "
    var end = range.upperBound
    if sign == "-" {
      while end > range.lowerBound, source[end - 1].isPythonSpace { end -= 1 }
      return end
    }
    guard sign != "+", !isOutput else { return end }
    while end > range.lowerBound, source[end - 1] != "\n", source[end - 1].isPythonSpace {
      end -= 1
    }
    let atLineStart = end == 0 || source[end - 1] == "\n"
    return atLineStart ? end : range.upperBound
  }

  private mutating func readComment() throws(TemplateError) {
    let place = location
    advance(2)
    skipSign()
    while position < source.count {
      if peek() == "-", matches("#}", at: position + 1) {
        advance(3)
        skipWhitespace()
        return
      }
      if peek() == "+", matches("#}", at: position + 1) {
        advance(3)
        return
      }
      if matches("#}", at: position) {
        advance(2)
        skipNewline()
        return
      }
      advance()
    }
    throw malformed("a comment is not closed", at: place)
  }

  mutating func skipNewline() {
    if peek() == "\n" { advance() }
  }
}
