extension Interpreter {
  mutating func apply(
    _ test: ValueTest, to value: TemplateValue, _ arguments: CallArguments
  ) throws(TemplateError) -> Bool {
    if let comparison = test.comparison {
      let bound = try bind(arguments, ["other"], of: test.rawValue)
      return try compare(value, comparison, try required(bound[0], "other", of: test.rawValue))
    }
    switch test {
    case .defined:
      if case .undefined = value { return false }
      return true
    case .undefined:
      if case .undefined = value { return true }
      return false
    case .isIn, .sameas, .divisibleby:
      return try applyRelation(test, to: value, arguments)
    case .odd, .even:
      guard case .int(let remainder)? = try combine(value, .remainder, .int(2)).number else {
        return false
      }
      return (remainder == 1) == (test == .odd)
    case .lower, .upper:
      let text = try text(of: value)
      return text.satisfies(test == .lower ? .islower : .isupper)
    case .filter:
      guard case .string(let name) = value else { return false }
      return Filter(named: name) != nil
    case .test:
      guard case .string(let name) = value else { return false }
      return ValueTest(named: name) != nil
    case .escaped:
      return false
    default:
      return value.hasType(test)
    }
  }

  private mutating func applyRelation(
    _ test: ValueTest, to value: TemplateValue, _ arguments: CallArguments
  ) throws(TemplateError) -> Bool {
    let bound = try bind(arguments, ["other"], of: test.rawValue)
    let other = try required(bound[0], "other", of: test.rawValue)
    switch test {
    case .isIn: return try contains(other, value)
    case .divisibleby:
      let remainder = try combine(value, .remainder, other)
      return !remainder.isTrue
    default:
      // Identity, as far as values have one: of the same type and equal.
      guard value.typeName == other.typeName else { return false }
      return try equal(value, other)
    }
  }
}

extension TemplateValue {
  /// The tests that look at nothing but the type (and `true` and `false`).
  func hasType(_ test: ValueTest) -> Bool {
    switch (test, self) {
    case (.none, .null), (.boolean, .bool), (.integer, .int), (.float, .double),
      (.string, .string), (.mapping, .object):
      true
    case (.isTrue, .bool(let value)): value
    case (.isFalse, .bool(let value)): !value
    case (.number, _): number != nil
    case (.iterable, .string), (.iterable, .array), (.iterable, .object), (.iterable, .undefined):
      true
    case (.sequence, .string), (.sequence, .object), (.sequence, .undefined): true
    case (.sequence, .array(let array)): array.form != .generator
    case (.callable, .reference(let reference)): reference.isCallable
    default: false
    }
  }
}

extension TemplateReference {
  var isCallable: Bool {
    switch target {
    case .macro, .function, .joiner, .method: true
    case .namespace, .loop, .cycler: false
    }
  }
}
