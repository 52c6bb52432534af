extension Interpreter {
  mutating func call(
    _ callee: TemplateValue, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue {
    guard case .reference(let reference) = callee else {
      try refuseUndefined(callee)
      throw fail("'\(callee.typeName)' cannot be called")
    }
    switch reference.target {
    case .function(let function):
      return try call(function, arguments)
    case .macro(let number):
      return try call(macro: number, arguments)
    case .joiner(let number):
      defer { joiners[number].used = true }
      return .string(joiners[number].used ? joiners[number].separator : "")
    case .namespace, .loop, .cycler, .method:
      throw fail("'\(callee.typeName)' cannot be called")
    }
  }

  /// The call of a call block, with the block itself as the macro `caller`.
  mutating func evaluateCall(
    _ expression: Expression, caller: TemplateValue
  ) throws(TemplateError) -> TemplateValue {
    guard case .postfix(let base, let steps) = expression, let last = steps.last,
      case .call(let syntax) = last.operation
    else { throw fail("a call block needs a call") }
    let callee = try evaluate(base, then: Array(steps.dropLast()))
    var arguments = try evaluate(syntax)
    arguments.named.append(CallArguments.Named(name: "caller", value: caller))
    location = last.location
    return try call(callee, arguments)
  }

  private mutating func call(
    _ function: GlobalFunction, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue {
    switch function {
    case .raiseException:
      let bound = try bind(arguments, ["message"], of: function.rawValue)
      let message = try text(of: bound[0] ?? .string(""))
      throw TemplateError(.raised(message), at: location)
    case .strftimeNow:
      let bound = try bind(arguments, ["format"], of: function.rawValue)
      let format = try requiredString(bound[0], "format", of: function.rawValue)
      guard let time else { throw fail("the time is not known") }
      var text = ""
      try append(time.formatted(format), to: &text)
      return .string(text)
    case .range:
      return try callRange(arguments)
    case .namespace:
      try spend(16)
      namespaces.append(try object(from: arguments, of: function.rawValue))
      return .reference(to: .namespace(namespaces.count - 1))
    case .dict:
      return .object(try object(from: arguments, of: function.rawValue))
    case .joiner:
      let bound = try bind(arguments, ["sep"], of: function.rawValue)
      try spend(16)
      joiners.append((try text(of: bound[0] ?? .string(", ")), false))
      return .reference(to: .joiner(joiners.count - 1))
    case .cycler:
      guard !arguments.positional.isEmpty else { throw fail("'cycler' needs items") }
      try spend(16 + arguments.positional.count)
      cyclers.append((arguments.positional, 0))
      return .reference(to: .cycler(cyclers.count - 1))
    }
  }

  private mutating func callRange(_ arguments: CallArguments) throws(TemplateError) -> TemplateValue
  {
    let bound = try bind(arguments, ["start", "stop", "step"], of: "range")
    guard let first = try optionalInteger(bound[0], "start", of: "range") else {
      throw fail("'range' needs an integer")
    }
    let second = try optionalInteger(bound[1], "stop", of: "range")
    let step = try optionalInteger(bound[2], "step", of: "range") ?? 1
    guard step != 0 else { throw fail("'range' cannot go in steps of zero") }
    var elements: [TemplateValue] = []
    for value in stride(from: second == nil ? 0 : first, to: second ?? first, by: step) {
      try spend(Self.elementCost)
      elements.append(.int(value))
    }
    return try makeArray(elements)
  }

  /// What `dict` and `namespace` are made of: a dictionary or pairs, and named arguments.
  private mutating func object(
    from arguments: CallArguments, of function: String
  ) throws(TemplateError) -> TemplateObject {
    let positional = CallArguments(positional: arguments.positional)
    var object = TemplateObject()
    switch try bind(positional, ["values"], of: function)[0] {
    case nil: break
    case .object(let values)?: object = values
    case let pairs?:
      for pair in try elements(of: pairs) {
        let parts = try elements(of: pair)
        guard parts.count == 2, parts[0].isKey else {
          throw fail("'\(function)' takes pairs of a key and a value")
        }
        object[parts[0]] = parts[1]
      }
    }
    try spend(object.count)
    for argument in arguments.named { object[argument.name] = argument.value }
    try check(depth: object.depth)
    return object
  }
}
