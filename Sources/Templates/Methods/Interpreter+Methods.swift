extension Interpreter {
  /// `value.name(…)`.
  mutating func call(
    method name: String, of value: TemplateValue, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue {
    switch value {
    case .string(let text):
      guard let method = StringMethod(rawValue: name) else { break }
      return try call(method, of: text, arguments)
    case .object(let object):
      if let method = ObjectMethod(rawValue: name) {
        return try call(method, of: object, arguments)
      }
    case .array(let array):
      if let result = try call(arrayMethod: name, of: array, arguments) { return result }
    case .reference(let reference):
      if let result = try call(method: name, of: reference, arguments) { return result }
    default: break
    }
    let callee = try attribute(name, of: value)
    if case .undefined = callee {
      throw fail("'\(value.typeName)' has no method '\(name)'")
    }
    return try call(callee, arguments)
  }

  private mutating func call(
    arrayMethod name: String, of array: TemplateArray, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue? {
    switch name {
    case "index":
      let bound = try bind(arguments, ["value"], of: name)
      let wanted = try required(bound[0], "value", of: name)
      for (index, element) in array.elements.enumerated() where try equal(element, wanted) {
        return .int(index)
      }
      throw fail("'index' does not find its value in the list")
    case "count":
      let bound = try bind(arguments, ["value"], of: name)
      let wanted = try required(bound[0], "value", of: name)
      var count = 0
      for element in array.elements where try equal(element, wanted) { count += 1 }
      return .int(count)
    case "copy":
      return .array(array)
    case "append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort":
      throw fail("'\(name)' would change its list, which templates may not")
    default:
      return nil
    }
  }

  private mutating func call(
    method name: String, of reference: TemplateReference, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue? {
    switch (reference.target, name) {
    case (.loop(let number), "cycle") where number < loops.count:
      guard !arguments.positional.isEmpty else { throw fail("'cycle' needs items") }
      return arguments.positional[loops[number].index % arguments.positional.count]
    case (.loop(let number), "changed") where number < loops.count:
      if let last = loops[number].lastChanged, last == arguments.positional { return .bool(false) }
      loops[number].lastChanged = arguments.positional
      return .bool(true)
    case (.cycler(let number), "next"):
      let cycler = cyclers[number]
      cyclers[number].index = (cycler.index + 1) % cycler.items.count
      return cycler.items[cycler.index]
    case (.cycler(let number), "reset"):
      cyclers[number].index = 0
      return .null
    default:
      return nil
    }
  }
}
