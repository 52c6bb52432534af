extension Interpreter {
  mutating func applySelective(
    _ filter: Filter, to value: TemplateValue, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue {
    // What is false has no elements here, `none` for one, which could not be iterated over.
    guard value.isTrue else { return try makeArray([], form: .generator) }
    guard filter != .map else { return try applyMap(value, arguments) }
    var rest = arguments
    var attribute: TemplateValue?
    if filter == .selectattr || filter == .rejectattr {
      guard !rest.positional.isEmpty else {
        throw fail("'\(filter.rawValue)' needs the name of an attribute")
      }
      attribute = rest.positional.removeFirst()
    }
    var test: ValueTest?
    if !rest.positional.isEmpty {
      let name = try requiredString(rest.positional.removeFirst(), "test", of: filter.rawValue)
      test = ValueTest(named: name)
      guard test != nil else {
        throw TemplateError(.unsupported("the test '\(name)'"), at: location)
      }
    }
    let wanted = filter == .select || filter == .selectattr
    var kept: [TemplateValue] = []
    for element in try elements(of: value) {
      try spend(1)
      let subject = try key(of: element, attribute: attribute, foldsCase: false)
      let passes = if let test { try apply(test, to: subject, rest) } else { subject.isTrue }
      if passes == wanted { kept.append(element) }
    }
    return try makeArray(kept, form: .generator)
  }

  private mutating func applyMap(
    _ value: TemplateValue, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue {
    if arguments.positional.isEmpty {
      let bound = try bind(arguments, ["attribute", "default"], of: "map")
      let name = try required(bound[0], "attribute", of: "map")
      return try mapped(value, attribute: name, default: bound[1])
    }
    var rest = arguments
    let name = try requiredString(rest.positional.removeFirst(), "filter", of: "map")
    guard let filter = Filter(named: name) else {
      throw TemplateError(.unsupported("the filter '\(name)'"), at: location)
    }
    try enter()
    var results: [TemplateValue] = []
    for element in try elements(of: value) {
      try spend(1)
      results.append(try apply(filter, to: element, rest))
    }
    leave()
    return try makeArray(results, form: .generator)
  }

  /// The attribute of every element.
  mutating func mapped(
    _ value: TemplateValue, attribute: TemplateValue, default replacement: TemplateValue?
  ) throws(TemplateError) -> TemplateValue {
    var results: [TemplateValue] = []
    for element in try elements(of: value) {
      try spend(1)
      let result = try path(attribute, of: element)
      if case .undefined = result, let replacement {
        results.append(replacement)
      } else {
        results.append(result)
      }
    }
    return try makeArray(results, form: .generator)
  }

  /// An attribute by its name, by a path with dots, or by an index.
  mutating func path(
    _ attribute: TemplateValue, of value: TemplateValue
  ) throws(TemplateError) -> TemplateValue {
    guard case .string(let path) = attribute else { return try item(attribute, of: value) }
    var value = value
    for part in path.split(separator: ".") {
      try spend(1)
      let name = String(part)
      value = try item(Int(name).map { .int($0) } ?? .string(name), of: value)
    }
    return value
  }
}
