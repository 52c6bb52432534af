extension Interpreter {
  /// An arithmetic operation, on sequences too; `isSign` words the error of `-x` and `+x`.
  mutating func combine(
    _ left: TemplateValue, _ operation: Arithmetic, _ right: TemplateValue, isSign: Bool = false
  ) throws(TemplateError) -> TemplateValue {
    try refuseUndefined(left)
    try refuseUndefined(right)
    if let first = left.number, let second = right.number {
      if isSign, case .double(let value) = second {
        return .double(operation == .subtract ? -value : value)
      }
      guard let result = Number.compute(operation, first, second) else {
        throw fail("'\(operation.rawValue)' on these numbers divides by zero or exceeds 64 bits")
      }
      return result.value
    }
    switch (operation, left, right) {
    case (.add, .string(let left), .string(let right)):
      var result = left
      try spend(bytesOf: left)
      try append(right, to: &result)
      return .string(result)
    case (.add, .array(let left), .array(let right)) where left.form == right.form:
      try spend(left.count + right.count)
      return try makeArray(left.elements + right.elements, form: left.form)
    case (.multiply, .string(let text), _):
      if let count = right.integer { return .string(try repeated(text, count)) }
    case (.multiply, _, .string(let text)):
      if let count = left.integer { return .string(try repeated(text, count)) }
    case (.multiply, .array(let array), _):
      if let count = right.integer { return try repeated(array, count) }
    case (.multiply, _, .array(let array)):
      if let count = left.integer { return try repeated(array, count) }
    case (.remainder, .string(let format), _):
      var operands = [right]
      if case .array(let array) = right, array.form == .tuple { operands = array.elements }
      return .string(try formatPercent(format, operands))
    default: break
    }
    if isSign {
      throw fail("bad operand type for unary \(operation.rawValue): '\(right.typeName)'")
    }
    throw fail(
      "unsupported operand types for \(operation.rawValue): "
        + "'\(left.typeName)' and '\(right.typeName)'")
  }

  /// `count` copies of a text, refused before they are made if they exceed the limit on size.
  mutating func repeated(_ text: String, _ count: Int) throws(TemplateError) -> String {
    guard count > 0, !text.isEmpty else { return "" }
    let limit = program.limits.outputBytes
    let (bytes, overflow) = count.multipliedReportingOverflow(by: text.utf8.count)
    guard !overflow, bytes <= limit else {
      throw TemplateError(.limit(.outputBytes, limit), at: location)
    }
    try spend(bytes / 16)
    return String(repeating: text, count: count)
  }

  private mutating func repeated(
    _ array: TemplateArray, _ count: Int
  ) throws(TemplateError) -> TemplateValue {
    var result: [TemplateValue] = []
    if count > 0, array.count > 0 {
      let (total, overflow) = array.count.multipliedReportingOverflow(by: count)
      try spend(overflow ? .max : total)
      for _ in 0..<count { result += array.elements }
    }
    return try makeArray(result, form: array.form)
  }

  func refuseUndefined(_ value: TemplateValue) throws(TemplateError) {
    if case .undefined(let reason) = value { throw fail(reason) }
  }

  mutating func compare(
    _ left: TemplateValue, _ operation: Comparison, _ right: TemplateValue
  ) throws(TemplateError) -> Bool {
    switch operation {
    case .equal: try equal(left, right)
    case .notEqual: try !equal(left, right)
    case .less: try precedes(left, right, operation)
    case .greater: try precedes(right, left, operation)
    case .lessOrEqual:
      if try precedes(left, right, operation) { true } else { try equal(left, right) }
    case .greaterOrEqual:
      if try precedes(right, left, operation) { true } else { try equal(left, right) }
    case .isIn: try contains(right, left)
    case .isNotIn: try !contains(right, left)
    }
  }

  /// Python's equality, paid for: structures may share parts and so be huge to walk.
  mutating func equal(_ left: TemplateValue, _ right: TemplateValue) throws(TemplateError) -> Bool {
    try spend(1)
    switch (left, right) {
    case (.string(let first), .string(let second)):
      guard first.utf8.count == second.utf8.count else { return false }
      try spend(bytesOf: first)
      return first.equals(second)
    case (.array(let first), .array(let second)):
      guard first.count == second.count, first.form == second.form else { return false }
      for (left, right) in zip(first.elements, second.elements) {
        guard try equal(left, right) else { return false }
      }
      return true
    case (.object(let first), .object(let second)):
      guard first.count == second.count else { return false }
      for (key, value) in first.pairs {
        guard let other = second[key], try equal(value, other) else { return false }
      }
      return true
    default:
      return left == right
    }
  }

  mutating func precedes(
    _ left: TemplateValue, _ right: TemplateValue, _ operation: Comparison = .less
  ) throws(TemplateError) -> Bool {
    try refuseUndefined(left)
    try refuseUndefined(right)
    if let left = left.number, let right = right.number { return left < right }
    switch (left, right) {
    case (.string(let left), .string(let right)):
      try spend(bytesOf: left)
      return left.precedes(right)
    case (.array(let first), .array(let second)) where first.form == second.form:
      for (left, right) in zip(first.elements, second.elements) {
        if try !equal(left, right) { return try precedes(left, right, operation) }
      }
      return first.count < second.count
    default:
      throw fail(
        "'\(operation.rawValue)' is not supported between '\(left.typeName)' "
          + "and '\(right.typeName)'")
    }
  }

  /// Python's `element in container`.
  mutating func contains(
    _ container: TemplateValue, _ element: TemplateValue
  ) throws(TemplateError) -> Bool {
    switch container {
    case .string(let text):
      guard case .string(let part) = element else {
        throw fail("'in <string>' requires a string as left operand, not \(element.typeName)")
      }
      try spend(bytesOf: text)
      return text.contains(exactly: part)
    case .array(let array):
      for candidate in array.elements where try equal(candidate, element) { return true }
      return false
    case .object(let object):
      return element.isKey && object[element] != nil
    case .undefined:
      return false
    default:
      throw fail("'\(container.typeName)' is nothing that something can be in")
    }
  }
}
