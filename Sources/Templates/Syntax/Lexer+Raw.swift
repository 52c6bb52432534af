extension Lexer {
  /// Where a `{% raw %}`-like tag ends, nil when there is none at `index`.
  func rawTagEnd(_ name: StaticString, at index: Int) -> Int? {
    guard matches("{%", at: index) else { return nil }
    var index = index + 2
    if index < source.count, source[index] == "-" || source[index] == "+" { index += 1 }
    while index < source.count, source[index].isPythonSpace { index += 1 }
    guard matches(name, at: index) else { return nil }
    index += name.utf8CodeUnitCount
    while index < source.count, source[index].isPythonSpace { index += 1 }
    if index < source.count, source[index] == "-" || source[index] == "+" { index += 1 }
    return matches("%}", at: index) ? index + 2 : nil
  }

  /// Reads what stands between `{% raw %}` and `{% endraw %}` as text.
  mutating func readRaw(after tagEnd: Int) throws(TemplateError) {
    let opening = location
    let strips = source[tagEnd - 3] == "-"
    advance(tagEnd - position)
    if strips { skipWhitespace() }
    let start = position
    let place = location
    while position < source.count {
      guard let end = rawTagEnd("endraw", at: position) else {
        advance()
        continue
      }
      var textEnd = position
      let sign = source[position + 2]
      if sign == "-" {
        while textEnd > start, source[textEnd - 1].isPythonSpace { textEnd -= 1 }
      } else if sign != "+" {
        var blank = textEnd
        while blank > start, source[blank - 1] != "\n", source[blank - 1].isPythonSpace {
          blank -= 1
        }
        if blank > 0, source[blank - 1] == "\n" { textEnd = blank }
      }
      if textEnd > start { append(.text(text(start..<textEnd)), at: place) }
      let closing = source[end - 3]
      advance(end - position)
      if closing == "-" { skipWhitespace() } else if closing != "+" { skipNewline() }
      return
    }
    throw malformed("a raw block is not closed", at: opening)
  }
}
