extension Parser {
  /// An expression, or several separated by commas, which are a tuple.
  mutating func parseTuple(
    allowingConditional: Bool = true, inParentheses: Bool = false
  ) throws(TemplateError) -> Expression {
    let location = current.location
    var elements: [Expression] = []
    var isTuple = false
    while !atTupleEnd {
      elements.append(allowingConditional ? try parseExpression() : try parseOr())
      guard skip(.comma) else { break }
      isTuple = true
    }
    if !isTuple {
      if let only = elements.first { return only }
      guard inParentheses else { throw unexpected(expecting: "an expression") }
    }
    return .tuple(elements, location)
  }

  private var atTupleEnd: Bool {
    switch current.kind {
    case .outputEnd, .blockEnd, .end, .symbol(.rightParenthesis): true
    default: false
    }
  }

  /// An expression with `if … else`.
  mutating func parseExpression() throws(TemplateError) -> Expression {
    try enter()
    var value = try parseOr()
    var arms: [ConditionalArm] = []
    var extraLevels = 0
    while skip("if") {
      let condition = try parseOr()
      arms.append(ConditionalArm(condition: condition, value: value))
      if skip("else") {
        value = try parseOr()
      } else {
        value = .conditional(arms, otherwise: nil)
        arms = []
        // Each such step nests the tree without recursion here, so it counts as a level.
        try enter()
        extraLevels += 1
      }
    }
    for _ in 0...extraLevels { leave() }
    return arms.isEmpty ? value : .conditional(arms, otherwise: value)
  }

  mutating func parseOr() throws(TemplateError) -> Expression {
    let first = try parseAnd()
    guard at("or") else { return first }
    var operands = [first]
    while skip("or") { operands.append(try parseAnd()) }
    return .or(operands)
  }

  private mutating func parseAnd() throws(TemplateError) -> Expression {
    let first = try parseNot()
    guard at("and") else { return first }
    var operands = [first]
    while skip("and") { operands.append(try parseNot()) }
    return .and(operands)
  }

  private mutating func parseNot() throws(TemplateError) -> Expression {
    var negations = 0
    while skip("not") { negations += 1 }
    var value = try parseComparison()
    if negations > 0 { value = .not(value) }
    if negations > 0, negations.isMultiple(of: 2) { value = .not(value) }
    return value
  }

  private mutating func parseComparison() throws(TemplateError) -> Expression {
    let first = try parseBinary(above: 0)
    var steps: [ComparisonStep] = []
    while let operation = comparisonHere {
      let location = current.location
      advance()
      if operation == .isNotIn { advance() }
      steps.append(
        ComparisonStep(
          operation: operation, operand: try parseBinary(above: 0), location: location))
    }
    return steps.isEmpty ? first : .comparison(first, steps)
  }

  private var comparisonHere: Comparison? {
    switch current.kind {
    case .symbol(let symbol): Comparison(rawValue: symbol.rawValue)
    case .name("in"): .isIn
    case .name("not"): next.kind == .name("in") ? .isNotIn : nil
    default: nil
    }
  }

  /// `+ -` bind least (1), then `~` (2), `* / // %` (3) and `**` (4), all to the left.
  private mutating func parseBinary(above precedence: Int) throws(TemplateError) -> Expression {
    var value = try parseUnary()
    while let found = binaryHere, found > precedence {
      let location = current.location
      if found == 2 {
        var operands = [value]
        while skip(.tilde) { operands.append(try parseBinary(above: 2)) }
        value = .concatenation(operands, location)
      } else {
        var steps: [ArithmeticStep] = []
        while binaryHere == found, let operation = arithmeticHere {
          let location = current.location
          advance()
          steps.append(
            ArithmeticStep(
              operation: operation, operand: try parseBinary(above: found), location: location))
        }
        value = .arithmetic(value, steps)
      }
    }
    return value
  }

  private var binaryHere: Int? {
    guard case .symbol(let symbol) = current.kind else { return nil }
    switch symbol {
    case .plus, .minus: return 1
    case .tilde: return 2
    case .star, .slash, .doubleSlash, .percent: return 3
    case .doubleStar: return 4
    default: return nil
    }
  }

  private var arithmeticHere: Arithmetic? {
    guard case .symbol(let symbol) = current.kind else { return nil }
    return Arithmetic(rawValue: symbol.rawValue)
  }

  private mutating func parseUnary(withFilters: Bool = true) throws(TemplateError) -> Expression {
    let location = current.location
    var value: Expression
    if at(.minus) || at(.plus) {
      let operation: Arithmetic = at(.minus) ? .subtract : .add
      advance()
      try enter()
      value = .sign(operation, try parseUnary(withFilters: false), location)
      leave()
    } else {
      value = try parsePrimary()
    }
    return try parsePostfix(value, withFilters: withFilters)
  }
}
