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
      return (key.isKey ? object[key] : nil) ?? bound[1] ?? .null
    case .items:
      return try makeItems(object)
    case .keys:
      return try makeArray(object.keys)
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
      pairs.append(try makeArray([key, value], form: .tuple))
    }
    return try makeArray(pairs, form: form)
  }
}
