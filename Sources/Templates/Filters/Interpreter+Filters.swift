extension Interpreter {
  mutating func apply(
    _ filter: Filter, to value: TemplateValue, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue {
    switch filter {
    case .defaultValue: return try applyDefault(value, arguments)
    case .tojson: return try applyToJSON(value, arguments)
    case .length: return .int(try length(of: value))
    case .safe: return value
    case .string: return .string(try text(of: value))
    case .attr:
      let bound = try bind(arguments, ["name"], of: "attr")
      return try attribute(try requiredString(bound[0], "name", of: "attr"), of: value)
    case .items:
      if case .undefined = value { return try makeArray([], form: .generator) }
      guard case .object(let object) = value else {
        throw fail("'items' takes a dictionary, not '\(value.typeName)'")
      }
      return try makeItems(object, form: .generator)
    case .abs, .float, .int, .round:
      return try applyNumeric(filter, to: value, arguments)
    case .capitalize, .center, .escape, .format, .indent, .lower, .replace, .title, .trim, .upper:
      return try applyTextual(filter, to: try text(of: value), arguments)
    case .map, .reject, .rejectattr, .select, .selectattr:
      return try applySelective(filter, to: value, arguments)
    case .dictsort, .first, .join, .last, .list, .max, .min, .reverse, .sort, .sum, .unique:
      return try applySequential(filter, to: value, arguments)
    }
  }

  private func applyDefault(
    _ value: TemplateValue, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue {
    let bound = try bind(arguments, ["default_value", "boolean"], of: "default")
    let replacement = bound[0] ?? .string("")
    if case .undefined = value { return replacement }
    return (bound[1]?.isTrue ?? false) && !value.isTrue ? replacement : value
  }

  mutating func length(of value: TemplateValue) throws(TemplateError) -> Int {
    switch value {
    case .string(let text):
      try spend(text.utf8.count / 16)
      return text.unicodeScalars.count
    case .array(let array): return array.count
    case .object(let object): return object.count
    case .undefined: return 0
    case .reference(let reference):
      if case .loop(let number) = reference.target, number < loops.count {
        return loops[number].items.count
      }
    default: break
    }
    throw fail("'\(value.typeName)' has no length")
  }

  private mutating func applyNumeric(
    _ filter: Filter, to value: TemplateValue, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue {
    switch filter {
    case .int:
      let bound = try bind(arguments, ["default", "base"], of: "int")
      let base = try optionalInteger(bound[1], "base", of: "int") ?? 10
      return value.asInteger(base: base).map { .int($0) } ?? bound[0] ?? .int(0)
    case .float:
      let bound = try bind(arguments, ["default"], of: "float")
      return value.asDouble.map { .double($0) } ?? bound[0] ?? .double(0)
    case .abs:
      guard let number = value.number else {
        throw fail("'abs' takes a number, not '\(value.typeName)'")
      }
      guard case .int(let integer) = number else { return .double(number.asDouble.magnitude) }
      guard integer != .min else { throw fail("'abs' exceeds 64 bits") }
      return .int(Swift.abs(integer))
    default:
      return try applyRound(value, arguments)
    }
  }

  private func applyRound(
    _ value: TemplateValue, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue {
    let bound = try bind(arguments, ["precision", "method"], of: "round")
    let precision = try optionalInteger(bound[0], "precision", of: "round") ?? 0
    guard let number = value.number else {
      throw fail("'round' takes a number, not '\(value.typeName)'")
    }
    guard (-15...15).contains(precision) else {
      throw fail("'round' takes a precision from -15 to 15, not \(precision)")
    }
    var scale = 1.0
    for _ in 0..<precision.magnitude { scale *= 10 }
    let scaled = precision < 0 ? number.asDouble / scale : number.asDouble * scale
    let rounded: Double
    switch try text(ofMethod: bound[1]) {
    case "common":
      if case .int = number, precision >= 0 { return number.value }
      rounded = scaled.roundedToEven
    case "ceil": rounded = scaled.roundedUp
    case "floor": rounded = scaled.roundedDown
    case let method: throw fail("'round' has no method '\(method)'")
    }
    return .double(precision < 0 ? rounded * scale : rounded / scale)
  }

  private func text(ofMethod value: TemplateValue?) throws(TemplateError) -> String {
    guard let value else { return "common" }
    return try requiredString(value, "method", of: "round")
  }
}

extension TemplateValue {
  /// Python's `int(value, base)`, then `int(float(value))`; nil when neither works.
  func asInteger(base: Int) -> Int? {
    switch self {
    case .string(let text):
      let digits = text.stripped(\.isPythonSpace).filter { $0 != "_" }
      if (2...36).contains(base), let value = Int(Self.withoutPrefix(digits, base), radix: base) {
        return value
      }
      return Double(digits)?.truncated.asExactInteger
    case .double(let value): return value.truncated.asExactInteger
    default: return integer
    }
  }

  private static func withoutPrefix(_ digits: String, _ base: Int) -> String {
    let prefixes = [16: "0x", 8: "0o", 2: "0b"]
    guard let prefix = prefixes[base], digits.lowercased().hasPrefix(prefix) else { return digits }
    return String(digits.dropFirst(2))
  }

  /// Python's `float(value)`, nil when that fails.
  var asDouble: Double? {
    if case .string(let text) = self {
      return Double(text.stripped(\.isPythonSpace).filter { $0 != "_" })
    }
    return number?.asDouble
  }
}
