extension Lexer {
  mutating func readOutput() throws(TemplateError) {
    let place = location
    append(.outputBegin, at: place)
    advance(2)
    skipSign()
    while position < source.count {
      skipWhitespace()
      if openBrackets.isEmpty {
        if peek() == "-", matches("}}", at: position + 1) {
          append(.outputEnd, at: location)
          advance(3)
          skipWhitespace()
          return
        }
        if matches("}}", at: position) {
          append(.outputEnd, at: location)
          advance(2)
          return
        }
      }
      try readCodeToken()
    }
    throw malformed("an output tag is not closed", at: place)
  }

  mutating func readBlock() throws(TemplateError) {
    let place = location
    append(.blockBegin, at: place)
    advance(2)
    skipSign()
    while position < source.count {
      skipWhitespace()
      if openBrackets.isEmpty {
        if peek() == "-", matches("%}", at: position + 1) {
          append(.blockEnd, at: location)
          advance(3)
          skipWhitespace()
          return
        }
        if peek() == "+", matches("%}", at: position + 1) {
          append(.blockEnd, at: location)
          advance(3)
          return
        }
        if matches("%}", at: position) {
          append(.blockEnd, at: location)
          advance(2)
          skipNewline()
          return
        }
      }
      try readCodeToken()
    }
    throw malformed("a block tag is not closed", at: place)
  }

  mutating func skipSign() {
    if peek() == "-" || peek() == "+" { advance() }
  }

  private mutating func readCodeToken() throws(TemplateError) {
    guard let first = peek() else { return }
    if first == "'" || first == "\"" {
      try readString(quote: first)
    } else if first.isDecimalDigit {
      try readNumber()
    } else if first.isNamePart {
      readName()
    } else {
      try readSymbol(first)
    }
  }

  private mutating func readName() {
    let start = position
    let place = location
    while let next = peek(), next.isNamePart { advance() }
    append(.name(text(start..<position)), at: place)
  }

  private mutating func readSymbol(_ first: Unicode.Scalar) throws(TemplateError) {
    let place = location
    var symbol: Token.Symbol?
    if let second = peek(1) {
      symbol = Token.Symbol(rawValue: "\(first)\(second)")
    }
    if let symbol {
      advance(2)
      append(.symbol(symbol), at: place)
      return
    }
    symbol = Token.Symbol(rawValue: "\(first)")
    guard let symbol else {
      throw malformed("unexpected character '\(first)'")
    }
    switch symbol {
    case .leftBrace: openBrackets.append(.rightBrace)
    case .leftBracket: openBrackets.append(.rightBracket)
    case .leftParenthesis: openBrackets.append(.rightParenthesis)
    case .rightBrace, .rightBracket, .rightParenthesis:
      guard let due = openBrackets.popLast() else {
        throw malformed("unexpected '\(symbol.rawValue)'")
      }
      guard due == symbol else {
        throw malformed("unexpected '\(symbol.rawValue)', expected '\(due.rawValue)'")
      }
    default: break
    }
    advance()
    append(.symbol(symbol), at: place)
  }
}
