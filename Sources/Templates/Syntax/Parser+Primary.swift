extension Parser {
  mutating func parsePrimary() throws(TemplateError) -> Expression {
    let token = current
    switch token.kind {
    case .name(let name):
      advance()
      return named(name, at: token.location)
    case .string(var text):
      advance()
      while case .string(let more) = current.kind {
        text += more
        advance()
      }
      return .literal(.string(text))
    case .integer(let value):
      advance()
      return .literal(.int(value))
    case .float(let value):
      advance()
      return .literal(.double(value))
    case .symbol(.leftParenthesis):
      advance()
      let value = try parseTuple(inParentheses: true)
      try expect(.rightParenthesis)
      return value
    case .symbol(.leftBracket):
      return try parseList()
    case .symbol(.leftBrace):
      return try parseDictionary()
    default:
      throw unexpected(expecting: "an expression")
    }
  }

  private mutating func named(_ name: String, at location: SourceLocation) -> Expression {
    switch name {
    case "true", "True": return .literal(.bool(true))
    case "false", "False": return .literal(.bool(false))
    case "none", "None": return .literal(.null)
    case "varargs": mentionsVarargs = true
    case "kwargs": mentionsKwargs = true
    default: break
    }
    return .name(symbols.number(of: name), location)
  }

  private mutating func parseList() throws(TemplateError) -> Expression {
    let location = current.location
    var elements: [Expression] = []
    try expect(.leftBracket)
    while !at(.rightBracket) {
      if !elements.isEmpty { try expect(.comma) }
      if at(.rightBracket) { break }
      elements.append(try parseExpression())
    }
    try expect(.rightBracket)
    return .list(elements, location)
  }

  private mutating func parseDictionary() throws(TemplateError) -> Expression {
    let location = current.location
    var items: [DictionaryItem] = []
    try expect(.leftBrace)
    while !at(.rightBrace) {
      if !items.isEmpty { try expect(.comma) }
      if at(.rightBrace) { break }
      let key = try parseExpression()
      try expect(.colon)
      items.append(DictionaryItem(key: key, value: try parseExpression()))
    }
    try expect(.rightBrace)
    return .dictionary(items, location)
  }
}
