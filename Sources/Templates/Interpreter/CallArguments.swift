/// The evaluated arguments of a call.
struct CallArguments {
  struct Named {
    var name: String
    var value: TemplateValue
  }

  var positional: [TemplateValue] = []
  var named: [Named] = []

  var isEmpty: Bool { positional.isEmpty && named.isEmpty }
}

extension Interpreter {
  mutating func evaluate(_ syntax: CallSyntax) throws(TemplateError) -> CallArguments {
    var arguments = CallArguments()
    guard !syntax.isEmpty else { return arguments }
    for expression in syntax.positional { arguments.positional.append(try evaluate(expression)) }
    for argument in syntax.named {
      arguments.named.append(
        CallArguments.Named(name: argument.name, value: try evaluate(argument.value)))
    }
    if let spread = syntax.spread {
      let sequence = try evaluate(spread)
      arguments.positional += try elements(of: sequence)
      try spend(arguments.positional.count)
    }
    if let spread = syntax.spreadNamed {
      guard case .object(let object) = try evaluate(spread) else {
        throw fail("what follows '**' in a call is no dictionary")
      }
      try spend(object.count)
      for (key, value) in object.pairs {
        guard case .string(let key) = key else { throw fail("a name of an argument is a string") }
        arguments.named.append(CallArguments.Named(name: key, value: value))
      }
    }
    return arguments
  }

  /// The arguments in the order of `parameters`, nil where none was given.
  func bind(
    _ arguments: CallArguments, _ parameters: [String], of function: String
  ) throws(TemplateError) -> [TemplateValue?] {
    var values = [TemplateValue?](repeating: nil, count: parameters.count)
    guard arguments.positional.count <= parameters.count else {
      throw fail(
        "'\(function)' takes at most \(parameters.count) arguments, "
          + "not \(arguments.positional.count)")
    }
    for (index, value) in arguments.positional.enumerated() { values[index] = value }
    for argument in arguments.named {
      guard let index = parameters.firstIndex(where: { $0.equals(argument.name) }),
        values[index] == nil
      else { throw fail("'\(function)' takes no argument '\(argument.name)' here") }
      values[index] = argument.value
    }
    return values
  }

  func required(
    _ value: TemplateValue?, _ name: String, of function: String
  ) throws(TemplateError) -> TemplateValue {
    guard let value else { throw fail("'\(function)' needs the argument '\(name)'") }
    return value
  }

  func requiredString(
    _ value: TemplateValue?, _ name: String, of function: String
  ) throws(TemplateError) -> String {
    guard case .string(let text) = try required(value, name, of: function) else {
      throw fail("'\(function)' takes a string as '\(name)', not '\(value?.typeName ?? "")'")
    }
    return text
  }

  func optionalInteger(
    _ value: TemplateValue?, _ name: String, of function: String
  ) throws(TemplateError) -> Int? {
    guard let value else { return nil }
    if case .null = value { return nil }
    guard let number = value.integer else {
      throw fail("'\(function)' takes an integer as '\(name)', not '\(value.typeName)'")
    }
    return number
  }
}
