/// The methods of dictionaries.
enum ObjectMethod: String, Sendable, CaseIterable {
  case copy, get, items, keys, values
  // These would change the dictionary, which Jinja's sandbox refuses too.
  case clear, pop, popitem, setdefault, update
}

extension Interpreter {
  mutating func call(
    _ method: ObjectMethod, of object: TemplateObject, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue {
    switch method {
    case .get:
      let bound = try bind(arguments, ["key", "default"], of: "get")
      let key = try required(bound[0], "key", of: "get")
      guard case .string(let name) = key, let value = object[name] else { return bound[1] ?? .null }
      return value
    case .items:
      return try makeItems(object)
    case .keys:
      return try makeArray(object.keys.map { .string($0) })
    case .values:
      return try makeArray(object.values)
    case .copy:
      return .object(object)
    case .clear, .pop, .popitem, .setdefault, .update:
      throw fail("'\(method.rawValue)' would change its dictionary, which templates may not")
    }
  }

  /// The pairs of an object, as tuples.
  mutating func makeItems(
    _ object: TemplateObject, form: TemplateArray.Form = .list
  ) throws(TemplateError) -> TemplateValue {
    var pairs: [TemplateValue] = []
    for (key, value) in object.pairs {
      pairs.append(try makeArray([.string(key), value], form: .tuple))
    }
    return try makeArray(pairs, form: form)
  }
}
