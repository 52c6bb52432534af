extension Interpreter {
  mutating func evaluate(_ expression: Expression) throws(TemplateError) -> TemplateValue {
    switch expression {
    case .literal(let value):
      try spend(1)
      return value
    case .name(let symbol, let place):
      try spend(1)
      location = place
      return value(of: symbol)
    default:
      try spend(1)
      try enter()
      let value = try evaluateNode(expression)
      leave()
      return value
    }
  }

  private mutating func evaluateNode(
    _ expression: Expression
  ) throws(TemplateError) -> TemplateValue {
    switch expression {
    case .literal(let value): return value
    case .name(let symbol, _): return value(of: symbol)
    case .postfix(let base, let steps): return try evaluate(base, then: steps)
    case .not(let operand): return .bool(try !evaluate(operand).isTrue)
    case .and(let operands): return try evaluateLogical(operands, stoppingAt: false)
    case .or(let operands): return try evaluateLogical(operands, stoppingAt: true)
    case .comparison(let first, let steps): return try evaluate(first, compared: steps)
    case .arithmetic(let first, let steps): return try evaluate(first, with: steps)
    case .concatenation(let operands, _): return try concatenate(operands)
    case .conditional(let arms, let otherwise):
      for arm in arms where try evaluate(arm.condition).isTrue {
        return try evaluate(arm.value)
      }
      guard let otherwise else {
        return .undefined("the conditional expression has no 'else' and its condition is false")
      }
      return try evaluate(otherwise)
    case .sign(let operation, let operand, let place):
      let value = try evaluate(operand)
      location = place
      return try combine(.int(0), operation, value, isSign: true)
    case .list(let elements, let place):
      return try evaluateArray(elements, form: .list, at: place)
    case .tuple(let elements, let place):
      return try evaluateArray(elements, form: .tuple, at: place)
    case .dictionary(let items, let place):
      return try evaluateDictionary(items, at: place)
    }
  }

  private mutating func evaluateArray(
    _ expressions: [Expression], form: TemplateArray.Form, at place: SourceLocation
  ) throws(TemplateError) -> TemplateValue {
    var elements: [TemplateValue] = []
    elements.reserveCapacity(expressions.count)
    for expression in expressions { elements.append(try evaluate(expression)) }
    location = place
    return try makeArray(elements, form: form)
  }

  private mutating func evaluateDictionary(
    _ items: [DictionaryItem], at place: SourceLocation
  ) throws(TemplateError) -> TemplateValue {
    var object = TemplateObject()
    for item in items {
      let key = try evaluate(item.key)
      location = place
      guard key.isKey else {
        throw TemplateError(.unsupported("a dictionary key of type \(key.typeName)"), at: place)
      }
      object[key] = try evaluate(item.value)
    }
    location = place
    try check(depth: object.depth)
    return .object(object)
  }

  /// `and` and `or`: the value of the operand that decides, as in Python.
  private mutating func evaluateLogical(
    _ operands: [Expression], stoppingAt truth: Bool
  ) throws(TemplateError) -> TemplateValue {
    var value = TemplateValue.null
    for operand in operands {
      value = try evaluate(operand)
      if value.isTrue == truth { break }
    }
    return value
  }

  private mutating func evaluate(
    _ first: Expression, compared steps: [ComparisonStep]
  ) throws(TemplateError) -> TemplateValue {
    var left = try evaluate(first)
    for step in steps {
      let right = try evaluate(step.operand)
      location = step.location
      guard try compare(left, step.operation, right) else { return .bool(false) }
      left = right
    }
    return .bool(true)
  }

  private mutating func evaluate(
    _ first: Expression, with steps: [ArithmeticStep]
  ) throws(TemplateError) -> TemplateValue {
    var left = try evaluate(first)
    for step in steps {
      let right = try evaluate(step.operand)
      location = step.location
      left = try combine(left, step.operation, right)
    }
    return left
  }

  private mutating func concatenate(
    _ operands: [Expression]
  ) throws(TemplateError) -> TemplateValue {
    var result = ""
    for operand in operands {
      let value = try evaluate(operand)
      try append(try text(of: value), to: &result)
    }
    return .string(result)
  }

  mutating func evaluate(
    _ base: Expression, then steps: [Postfix]
  ) throws(TemplateError) -> TemplateValue {
    var value = try evaluate(base)
    var index = 0
    while index < steps.count {
      let step = steps[index]
      try spend(1)
      index += 1
      if case .attribute(let name) = step.operation, index < steps.count,
        case .call(let syntax) = steps[index].operation
      {
        let arguments = try evaluate(syntax)
        location = step.location
        value = try call(method: name, of: value, arguments)
        index += 1
      } else {
        value = try apply(step, to: value)
      }
    }
    return value
  }

  mutating func apply(
    _ steps: [Postfix], to value: TemplateValue
  ) throws(TemplateError) -> TemplateValue {
    var value = value
    for step in steps { value = try apply(step, to: value) }
    return value
  }

  private mutating func apply(
    _ step: Postfix, to value: TemplateValue
  ) throws(TemplateError) -> TemplateValue {
    switch step.operation {
    case .attribute(let name):
      location = step.location
      return try attribute(name, of: value)
    case .item(let expression):
      let index = try evaluate(expression)
      location = step.location
      return try item(index, of: value)
    case .slice(let from, let to, let stride):
      return try applySlice(from, to, stride, at: step.location, to: value)
    case .call(let syntax):
      let arguments = try evaluate(syntax)
      location = step.location
      return try call(value, arguments)
    case .filter(let filter, let syntax):
      let arguments = try evaluate(syntax)
      location = step.location
      return try apply(filter, to: value, arguments)
    case .test(let test, let syntax, let negated):
      let arguments = try evaluate(syntax)
      location = step.location
      return .bool(try apply(test, to: value, arguments) != negated)
    case .unsupported(let feature):
      throw TemplateError(.unsupported(feature), at: step.location)
    }
  }
}
