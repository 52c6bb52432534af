extension Parser {
  /// The whole template.
  mutating func parseTemplate() throws(TemplateError) -> [Statement] {
    let body = try parseBody(until: [])
    guard current.kind == .end else { throw unexpected() }
    return body
  }

  /// Statements up to a block tag with one of the given names.
  ///
  /// Stops after the `{%` and before the name, or at the end when no name is given.
  mutating func parseBody(until ends: Set<String>) throws(TemplateError) -> [Statement] {
    try enter()
    var body: [Statement] = []
    while true {
      let location = current.location
      switch current.kind {
      case .text(let text):
        advance()
        body.append(.text(text))
      case .outputBegin:
        advance()
        let value = try parseTuple()
        guard current.kind == .outputEnd else { throw unexpected(expecting: "'}}'") }
        advance()
        body.append(.output(value, location))
      case .blockBegin:
        advance()
        guard case .name(let tag) = current.kind else {
          throw unexpected(expecting: "the name of a tag")
        }
        if ends.contains(tag) {
          leave()
          return body
        }
        advance()
        try body.append(contentsOf: parseStatement(tag, at: location))
      case .end:
        guard ends.isEmpty else {
          throw unexpected(expecting: "'{% \(ends.sorted().joined(separator: " %}' or '{% ")) %}'")
        }
        leave()
        return body
      default:
        throw unexpected()
      }
    }
  }

  /// The statement whose tag name has just been read, none for a tag without effect.
  private mutating func parseStatement(
    _ tag: String, at location: SourceLocation
  ) throws(TemplateError) -> [Statement] {
    switch tag {
    case "if": return [try parseBranch()]
    case "for": return [try parseLoop(at: location)]
    case "set": return [try parseSet(at: location)]
    case "macro": return [try parseMacro(at: location)]
    case "call": return [try parseCallBlock(at: location)]
    case "filter": return [try parseFilterBlock(at: location)]
    case "with": return [try parseWith(at: location)]
    case "generation":
      // Marks the assistant's own tokens for training; it writes nothing.
      try expectBlockEnd()
      let body = try parseBody(until: ["endgeneration"])
      try endTag()
      return [.with([], body, location)]
    case "break", "continue":
      guard loopDepth > 0 else {
        throw TemplateError(.syntax("'\(tag)' outside of a loop"), at: location)
      }
      try expectBlockEnd()
      return [.exitLoop(tag == "break" ? .break : .continue)]
    case "extends", "include", "import", "from", "block", "do", "autoescape", "trans", "print",
      "debug":
      throw TemplateError(.unsupported("the tag '\(tag)'"), at: location)
    default:
      throw TemplateError(.syntax("unknown tag '\(tag)'"), at: location)
    }
  }

  /// Skips the name of an end tag and its `%}`.
  mutating func endTag() throws(TemplateError) {
    advance()
    try expectBlockEnd()
  }

  private mutating func parseBranch() throws(TemplateError) -> Statement {
    var branches: [Branch] = []
    while true {
      let condition = try parseTuple(allowingConditional: false)
      try expectBlockEnd()
      let body = try parseBody(until: ["elif", "else", "endif"])
      branches.append(Branch(condition: condition, body: body))
      if skip("elif") { continue }
      var otherwise: [Statement] = []
      if skip("else") {
        try expectBlockEnd()
        otherwise = try parseBody(until: ["endif"])
      }
      try endTag()
      return .branch(branches, otherwise: otherwise)
    }
  }

  private mutating func parseLoop(at location: SourceLocation) throws(TemplateError) -> Statement {
    let (targets, isTuple) = try parseTargets(allowingAttributes: false)
    try expect("in")
    let sequence = try parseTuple(allowingConditional: false)
    var condition: Expression?
    if skip("if") { condition = try parseExpression() }
    if at("recursive") {
      throw TemplateError(.unsupported("recursive loops"), at: current.location)
    }
    try expectBlockEnd()
    loopDepth += 1
    let body = try parseBody(until: ["else", "endfor"])
    loopDepth -= 1
    var otherwise: [Statement] = []
    if skip("else") {
      try expectBlockEnd()
      otherwise = try parseBody(until: ["endfor"])
    }
    try endTag()
    return .loop(
      Loop(
        targets: targets, unpacks: isTuple, sequence: sequence, condition: condition, body: body,
        otherwise: otherwise, location: location))
  }

  private mutating func parseSet(at location: SourceLocation) throws(TemplateError) -> Statement {
    let (targets, isTuple) = try parseTargets(allowingAttributes: true)
    if skip(.assign) {
      let value = try parseTuple()
      try expectBlockEnd()
      return .set(targets, isTuple: isTuple, value, location)
    }
    guard let target = targets.first, !isTuple else { throw unexpected(expecting: "'='") }
    let filters = try parseFilters()
    try expectBlockEnd()
    let body = try parseBody(until: ["endset"])
    try endTag()
    return .capture(target, filters, body, location)
  }

  /// Names to assign to, separated by commas, perhaps in parentheses.
  private mutating func parseTargets(
    allowingAttributes: Bool
  ) throws(TemplateError) -> ([AssignmentTarget], isTuple: Bool) {
    let parenthesised = skip(.leftParenthesis)
    var targets: [AssignmentTarget] = []
    var isTuple = false
    while true {
      let name = try expectName()
      if ["true", "false", "none", "True", "False", "None"].contains(name) {
        throw TemplateError(.syntax("'\(name)' cannot be assigned to"), at: current.location)
      }
      if allowingAttributes, skip(.dot) {
        targets.append(.attribute(symbols.number(of: name), try expectName()))
      } else {
        targets.append(.variable(symbols.number(of: name)))
      }
      guard skip(.comma) else { break }
      isTuple = true
      guard case .name(let following) = current.kind, following != "in" else { break }
    }
    if parenthesised { try expect(.rightParenthesis) }
    return (targets, isTuple)
  }
}
