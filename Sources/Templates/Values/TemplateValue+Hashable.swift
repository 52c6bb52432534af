extension TemplateValue: Hashable {
  /// Python's equality: 1 == 1.0 == True, strings by code points, dictionaries in any order.
  package static func == (left: TemplateValue, right: TemplateValue) -> Bool {
    if let left = left.number, let right = right.number { return Number.equal(left, right) }
    switch (left, right) {
    case (.undefined, .undefined), (.null, .null): return true
    case (.string(let left), .string(let right)): return left.equals(right)
    case (.array(let left), .array(let right)):
      return left.form == right.form && left.elements == right.elements
    case (.object(let left), .object(let right)):
      guard left.count == right.count else { return false }
      return left.pairs.allSatisfy { right[$0] == $1 }
    case (.reference(let left), .reference(let right)): return left == right
    default: return false
    }
  }

  /// Whether the value may be the key of an object.
  var isKey: Bool {
    switch self {
    case .null, .bool, .int, .double, .string: true
    case .undefined, .array, .object, .reference: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    if let number {
      hasher.combine(number.asDouble)
      return
    }
    switch self {
    case .string(let value): hasher.combine(ExactString(value))
    case .array(let array):
      for element in array.elements { hasher.combine(element) }
    case .object(let object): hasher.combine(object.count)
    case .reference(let reference): hasher.combine(reference)
    default: hasher.combine(typeName)
    }
  }
}
