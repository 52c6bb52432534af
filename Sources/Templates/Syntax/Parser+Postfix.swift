extension Parser {
  /// Whatever follows a primary expression, in a flat list.
  mutating func parsePostfix(
    _ value: Expression, withFilters: Bool
  ) throws(TemplateError) -> Expression {
    var steps: [Postfix] = []
    var pastFilters = false
    while true {
      let location = current.location
      switch current.kind {
      case .symbol(.dot) where !pastFilters:
        advance()
        steps.append(Postfix(operation: try parseAttribute(), location: location))
      case .symbol(.leftBracket) where !pastFilters:
        advance()
        steps.append(Postfix(operation: try parseSubscript(), location: location))
      case .symbol(.leftParenthesis):
        steps.append(Postfix(operation: .call(try parseCall()), location: location))
      case .symbol(.pipe) where withFilters:
        advance()
        pastFilters = true
        steps.append(try parseFilter())
      case .name("is") where withFilters:
        advance()
        pastFilters = true
        steps.append(try parseTest(at: location))
      default:
        return steps.isEmpty ? value : .postfix(value, steps)
      }
    }
  }

  private mutating func parseAttribute() throws(TemplateError) -> Postfix.Operation {
    switch current.kind {
    case .name(let name):
      advance()
      return .attribute(name)
    case .integer(let index):
      advance()
      return .item(.literal(.int(index)))
    default:
      throw unexpected(expecting: "a name or a number")
    }
  }

  private mutating func parseSubscript() throws(TemplateError) -> Postfix.Operation {
    var from: Expression?
    if !at(.colon) {
      let index = try parseExpression()
      if skip(.rightBracket) { return .item(index) }
      from = index
    }
    try expect(.colon)
    var to: Expression?
    var step: Expression?
    if !at(.colon), !at(.rightBracket) { to = try parseExpression() }
    if skip(.colon), !at(.rightBracket) { step = try parseExpression() }
    try expect(.rightBracket)
    return .slice(from: from, to: to, step: step)
  }

  private mutating func parseCall() throws(TemplateError) -> CallSyntax {
    var call = CallSyntax()
    var isFirst = true
    try expect(.leftParenthesis)
    while !at(.rightParenthesis) {
      if !isFirst { try expect(.comma) }
      if at(.rightParenthesis) { break }
      isFirst = false
      try parseArgument(into: &call)
    }
    try expect(.rightParenthesis)
    return call
  }

  private mutating func parseArgument(into call: inout CallSyntax) throws(TemplateError) {
    if at(.star), call.spread == nil, call.spreadNamed == nil {
      advance()
      call.spread = try parseExpression()
    } else if at(.doubleStar), call.spreadNamed == nil {
      advance()
      call.spreadNamed = try parseExpression()
    } else if case .name(let name) = current.kind, next.kind == .symbol(.assign) {
      guard call.spreadNamed == nil else { throw unexpected(expecting: "')'") }
      advance()
      advance()
      call.named.append(CallSyntax.Named(name: name, value: try parseExpression()))
    } else {
      guard call.spread == nil, call.spreadNamed == nil, call.named.isEmpty else {
        throw unexpected(expecting: "a named argument")
      }
      call.positional.append(try parseExpression())
    }
  }

  /// Filters, each after its `|`.
  mutating func parseFilters() throws(TemplateError) -> [Postfix] {
    var filters: [Postfix] = []
    while skip(.pipe) { filters.append(try parseFilter()) }
    return filters
  }

  /// A filter, its `|` already read.
  mutating func parseFilter() throws(TemplateError) -> Postfix {
    let location = current.location
    let name = try parseDottedName()
    let arguments = at(.leftParenthesis) ? try parseCall() : CallSyntax()
    guard let filter = Filter(named: name) else {
      return Postfix(operation: .unsupported("the filter '\(name)'"), location: location)
    }
    return Postfix(operation: .filter(filter, arguments), location: location)
  }

  /// A test, its `is` already read.
  private mutating func parseTest(at location: SourceLocation) throws(TemplateError) -> Postfix {
    let negated = skip("not")
    let place = current.location
    let name = try parseDottedName()
    var arguments = CallSyntax()
    if at(.leftParenthesis) {
      arguments = try parseCall()
    } else if atTestArgument {
      try enter()
      let primary = try parsePrimary()
      arguments.positional = [try parsePostfix(primary, withFilters: false)]
      leave()
    }
    guard let test = ValueTest(named: name) else {
      return Postfix(operation: .unsupported("the test '\(name)'"), location: place)
    }
    return Postfix(
      operation: .test(test, arguments, negated: negated), location: location)
  }

  private var atTestArgument: Bool {
    switch current.kind {
    case .string, .integer, .float, .symbol(.leftBracket), .symbol(.leftBrace): true
    case .name(let name): !["else", "or", "and", "is", "if", "in", "not"].contains(name)
    default: false
    }
  }

  private mutating func parseDottedName() throws(TemplateError) -> String {
    var name = try expectName()
    while skip(.dot) { name += "." + (try expectName()) }
    return name
  }
}
