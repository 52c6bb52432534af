extension Parser {
  mutating func parseMacro(at location: SourceLocation) throws(TemplateError) -> Statement {
    let name = try expectName()
    let parameters = try parseParameters()
    try expectBlockEnd()
    let number = try parseMacroBody(name: name, parameters: parameters, end: "endmacro")
    return .macro(number, location)
  }

  mutating func parseCallBlock(at location: SourceLocation) throws(TemplateError) -> Statement {
    let parameters = at(.leftParenthesis) ? try parseParameters() : []
    let call = try parseExpression()
    guard case .postfix(_, let steps) = call, case .call? = steps.last?.operation else {
      throw TemplateError(.syntax("a call block needs a call"), at: location)
    }
    try expectBlockEnd()
    let number = try parseMacroBody(name: "caller", parameters: parameters, end: "endcall")
    return .callBlock(call, callerMacro: number, location)
  }

  mutating func parseFilterBlock(at location: SourceLocation) throws(TemplateError) -> Statement {
    var filters = [try parseFilter()]
    filters += try parseFilters()
    try expectBlockEnd()
    let body = try parseBody(until: ["endfilter"])
    try endTag()
    return .filterBlock(filters, body, location)
  }

  mutating func parseWith(at location: SourceLocation) throws(TemplateError) -> Statement {
    var bindings: [WithBinding] = []
    while current.kind != .blockEnd {
      if !bindings.isEmpty { try expect(.comma) }
      let target = symbols.number(of: try expectName())
      try expect(.assign)
      bindings.append(WithBinding(target: target, value: try parseExpression()))
    }
    try expectBlockEnd()
    let body = try parseBody(until: ["endwith"])
    try endTag()
    return .with(bindings, body, location)
  }

  private mutating func parseParameters() throws(TemplateError) -> [MacroSyntax.Parameter] {
    var parameters: [MacroSyntax.Parameter] = []
    try expect(.leftParenthesis)
    while !at(.rightParenthesis) {
      if !parameters.isEmpty { try expect(.comma) }
      let name = try expectName()
      var defaultValue: Expression?
      if skip(.assign) {
        defaultValue = try parseExpression()
      } else if parameters.last?.defaultValue != nil {
        throw unexpected(expecting: "a default value")
      }
      parameters.append(
        MacroSyntax.Parameter(
          symbol: symbols.number(of: name), name: name, defaultValue: defaultValue))
    }
    try expect(.rightParenthesis)
    return parameters
  }

  private mutating func parseMacroBody(
    name: String, parameters: [MacroSyntax.Parameter], end: String
  ) throws(TemplateError) -> Int {
    let outer = (mentionsVarargs, mentionsKwargs, loopDepth)
    (mentionsVarargs, mentionsKwargs, loopDepth) = (false, false, 0)
    let body = try parseBody(until: [end])
    try endTag()
    macros.append(
      MacroSyntax(
        name: name, symbol: symbols.number(of: name), parameters: parameters, body: body,
        takesExtraPositional: mentionsVarargs, takesExtraNamed: mentionsKwargs))
    (mentionsVarargs, mentionsKwargs, loopDepth) = outer
    return macros.count - 1
  }
}
