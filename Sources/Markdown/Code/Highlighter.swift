/// Colours code by classes of tokens: comments, strings, numbers and keywords.
///
/// Not a parser: it goes line by line and remembers only whether a comment or a string is open.
struct Highlighter {
  private let language: CodeLanguage?
  /// What must come for an open comment or long string to end.
  private var pending: (closing: String, style: TextStyle)?

  init(language label: String) {
    language = CodeLanguage.named(label)
  }

  /// One line of code, in order.
  mutating func line(_ text: Substring) -> StyledLine {
    guard let language else { return StyledLine(String(text)) }
    var result = StyledLine()
    var rest = text
    while !rest.isEmpty {
      result.append(next(&rest, language))
    }
    return result
  }

  private mutating func next(_ rest: inout Substring, _ language: CodeLanguage) -> Span {
    if let (closing, style) = pending {
      let end = rest.firstRange(of: closing)
      if end != nil { pending = nil }
      return Span(take(&rest, to: end?.upperBound ?? rest.endIndex), style)
    }
    if language.lineComments.contains(where: rest.hasPrefix) {
      return Span(take(&rest, to: rest.endIndex), .comment)
    }
    if let block = language.blockComment, rest.hasPrefix(block.opening) {
      pending = (block.closing, .comment)
      return Span(
        take(&rest, to: rest.index(rest.startIndex, offsetBy: block.opening.count)), .comment)
    }
    guard let first = rest.first else { return Span("") }
    if language.quotes.contains(first) { return string(&rest, quote: first) }
    if first.isLetter || first == "_" { return word(&rest, language) }
    if first.isNumber {
      return Span(take(&rest, while: { $0.isHexDigit || "xob._".contains($0) }), .number)
    }
    return Span(take(&rest, to: rest.index(after: rest.startIndex)))
  }

  private mutating func string(_ rest: inout Substring, quote: Character) -> Span {
    let long = String(repeating: quote, count: 3)
    if rest.hasPrefix(long) {
      pending = (long, .string)
      return Span(take(&rest, to: rest.index(rest.startIndex, offsetBy: 3)), .string)
    }
    if quote == "`" {
      pending = ("`", .string)
      return Span(take(&rest, to: rest.index(after: rest.startIndex)), .string)
    }
    var index = rest.index(after: rest.startIndex)
    while index < rest.endIndex, rest[index] != quote {
      if rest[index] == "\\" { index = rest.index(after: index) }
      if index < rest.endIndex { index = rest.index(after: index) }
    }
    if index < rest.endIndex { index = rest.index(after: index) }
    return Span(take(&rest, to: index), .string)
  }

  private func word(_ rest: inout Substring, _ language: CodeLanguage) -> Span {
    let word = take(&rest, while: { $0.isLetter || $0.isNumber || $0 == "_" })
    return Span(word, language.keywords.contains(word[...]) ? .keyword : [])
  }

  private func take(_ rest: inout Substring, while condition: (Character) -> Bool) -> String {
    let end = rest.firstIndex { !condition($0) } ?? rest.endIndex
    return take(&rest, to: end)
  }

  private func take(_ rest: inout Substring, to end: Substring.Index) -> String {
    defer { rest = rest[end...] }
    return String(rest[..<end])
  }
}

extension Substring {
  /// Where another text first stands in this one.
  fileprivate func firstRange(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) {
        return start..<index(start, offsetBy: text.count)
      }
      start = index(after: start)
    }
    return nil
  }
}
