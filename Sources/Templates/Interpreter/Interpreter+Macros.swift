extension Interpreter {
  /// A macro bound to the present scope.
  mutating func makeClosure(_ macro: Int) -> TemplateValue {
    closures.append(Closure(macro: macro, scope: scope))
    return .reference(to: .macro(closures.count - 1))
  }

  mutating func call(
    macro number: Int, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue {
    let closure = closures[number]
    let macro = program.macros[closure.macro]
    let inner = Scope(parent: closure.scope)
    try bind(arguments, to: macro, in: inner)
    let outer = (output, scope)
    output = ""
    scope = inner
    try bindDefaults(of: macro)
    _ = try execute(macro.body)
    let text = output
    (output, scope) = outer
    return .string(text)
  }

  private mutating func bind(
    _ arguments: CallArguments, to macro: MacroSyntax, in scope: Scope
  ) throws(TemplateError) {
    let count = macro.parameters.count
    for (parameter, value) in zip(macro.parameters, arguments.positional) {
      scope.set(parameter.symbol, to: value)
    }
    if macro.takesExtraPositional {
      scope.set(
        program.varargs,
        to: try makeArray(Array(arguments.positional.dropFirst(count)), form: .tuple))
    } else if arguments.positional.count > count {
      throw fail("macro '\(macro.name)' takes at most \(count) arguments")
    }
    var extra = TemplateObject()
    for argument in arguments.named {
      let parameters = macro.parameters.dropFirst(arguments.positional.count)
      if let parameter = parameters.first(where: { $0.name.equals(argument.name) }) {
        scope.set(parameter.symbol, to: argument.value)
      } else if argument.name == "caller" {
        scope.set(program.caller, to: argument.value)
      } else if macro.takesExtraNamed {
        extra[argument.name] = argument.value
      } else {
        throw fail("macro '\(macro.name)' takes no argument '\(argument.name)'")
      }
    }
    if macro.takesExtraNamed { scope.set(program.kwargs, to: .object(extra)) }
  }

  /// Gives the parameters without an argument their defaults, in order, so that one may use
  /// another.
  private mutating func bindDefaults(of macro: MacroSyntax) throws(TemplateError) {
    for parameter in macro.parameters where !scope.holds(parameter.symbol) {
      if let expression = parameter.defaultValue {
        scope.set(parameter.symbol, to: try evaluate(expression))
      } else {
        scope.set(
          parameter.symbol,
          to: .undefined("parameter '\(parameter.name)' was not provided"))
      }
    }
  }
}
