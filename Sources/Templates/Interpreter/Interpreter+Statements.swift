extension Interpreter {
  /// Runs statements; the result says that a loop around them is to be left or continued.
  mutating func execute(_ body: [Statement]) throws(TemplateError) -> LoopExit? {
    try enter()
    for statement in body {
      try spend(1)
      if let exit = try execute(statement) {
        leave()
        return exit
      }
    }
    leave()
    return nil
  }

  private mutating func execute(_ statement: Statement) throws(TemplateError) -> LoopExit? {
    switch statement {
    case .text(let text):
      try emit(text)
    case .output(let expression, let place):
      let value = try evaluate(expression)
      location = place
      try emit(try text(of: value))
    case .set(let targets, let isTuple, let expression, let place):
      let value = try evaluate(expression)
      location = place
      try assign(value, to: targets, unpacking: isTuple)
    case .branch(let branches, let otherwise):
      for branch in branches where try evaluate(branch.condition).isTrue {
        return try execute(branch.body)
      }
      return try execute(otherwise)
    case .loop(let loop):
      try execute(loop)
    case .exitLoop(let exit):
      return exit
    default:
      return try executeBlock(statement)
    }
    return nil
  }

  private mutating func executeBlock(_ statement: Statement) throws(TemplateError) -> LoopExit? {
    switch statement {
    case .capture(let target, let filters, let body, let place):
      var value = TemplateValue.string(try capture(body))
      value = try apply(filters, to: value)
      location = place
      try assign(value, to: [target], unpacking: false)
    case .macro(let number, let place):
      location = place
      scope.set(program.macros[number].symbol, to: makeClosure(number))
    case .callBlock(let call, let caller, let place):
      location = place
      let value = try evaluateCall(call, caller: makeClosure(caller))
      location = place
      try emit(try text(of: value))
    case .filterBlock(let filters, let body, let place):
      let value = try apply(filters, to: .string(try capture(body)))
      location = place
      try emit(try text(of: value))
    case .with(let bindings, let body, _):
      return try execute(with: bindings, body)
    default:
      break
    }
    return nil
  }

  private mutating func execute(
    with bindings: [WithBinding], _ body: [Statement]
  ) throws(TemplateError) -> LoopExit? {
    let outer = scope
    let inner = Scope(parent: outer)
    for binding in bindings {
      inner.set(binding.target, to: try evaluate(binding.value))
    }
    scope = inner
    let exit = try execute(body)
    scope = outer
    return exit
  }

  /// What statements write, in a scope of their own.
  mutating func capture(_ body: [Statement]) throws(TemplateError) -> String {
    let outer = (output, scope)
    output = ""
    scope = Scope(parent: scope)
    _ = try execute(body)
    let text = output
    (output, scope) = outer
    return text
  }

  mutating func assign(
    _ value: TemplateValue, to targets: [AssignmentTarget], unpacking: Bool
  ) throws(TemplateError) {
    guard unpacking else {
      if let target = targets.first { try assign(value, to: target) }
      return
    }
    let values = try elements(of: value)
    guard values.count == targets.count else {
      throw fail("cannot unpack \(values.count) values into \(targets.count) variables")
    }
    for (target, value) in zip(targets, values) { try assign(value, to: target) }
  }

  private mutating func assign(
    _ value: TemplateValue, to target: AssignmentTarget
  ) throws(TemplateError) {
    switch target {
    case .variable(let symbol):
      scope.set(symbol, to: value)
    case .attribute(let symbol, let name):
      guard case .reference(let reference) = self.value(of: symbol),
        case .namespace(let number) = reference.target
      else {
        throw fail("'\(program.symbols[symbol])' is no namespace, so it has no '\(name)' to set")
      }
      namespaces[number][name] = value
    }
  }

  private mutating func execute(_ loop: Loop) throws(TemplateError) {
    let sequence = try evaluate(loop.sequence)
    location = loop.location
    var items = try elements(of: sequence)
    let outer = scope
    if let condition = loop.condition {
      items = try select(items, loop, where: condition)
    }
    guard !items.isEmpty else {
      scope = Scope(parent: outer)
      _ = try execute(loop.otherwise)
      scope = outer
      return
    }
    let number = loops.count
    loops.append(LoopState(items: items))
    for (index, item) in items.enumerated() {
      loops[number].index = index
      scope = Scope(parent: outer)
      scope.set(program.loop, to: .reference(to: .loop(number)))
      location = loop.location
      try assign(item, to: loop.targets, unpacking: loop.unpacks)
      if try execute(loop.body) == .break { break }
    }
    loops.removeLast()
    scope = outer
  }

  /// The items for which the condition of a `for … if` holds.
  private mutating func select(
    _ items: [TemplateValue], _ loop: Loop, where condition: Expression
  ) throws(TemplateError) -> [TemplateValue] {
    let outer = scope
    var selected: [TemplateValue] = []
    for item in items {
      scope = Scope(parent: outer)
      location = loop.location
      try assign(item, to: loop.targets, unpacking: loop.unpacks)
      if try evaluate(condition).isTrue { selected.append(item) }
    }
    scope = outer
    return selected
  }
}
