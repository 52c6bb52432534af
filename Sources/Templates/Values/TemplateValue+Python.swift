extension TemplateValue {
  /// Python's `bool(value)`.
  package var isTrue: Bool {
    switch self {
    case .undefined, .null: false
    case .bool(let value): value
    case .int(let value): value != 0
    case .double(let value): value != 0
    case .string(let value): !value.isEmpty
    case .array(let array): array.form == .generator || !array.elements.isEmpty
    case .object(let object): !object.isEmpty
    case .reference: true
    }
  }

  /// What error messages call the type.
  var typeName: String {
    switch self {
    case .undefined: "Undefined"
    case .null: "NoneType"
    case .bool: "bool"
    case .int: "int"
    case .double: "float"
    case .string: "str"
    case .array(let array):
      switch array.form {
      case .list: "list"
      case .tuple: "tuple"
      case .generator: "generator"
      }
    case .object: "dict"
    case .reference(let reference): reference.typeName
    }
  }

  /// The value as a number, Python's booleans included.
  var number: Number? {
    switch self {
    case .bool(let value): .int(value ? 1 : 0)
    case .int(let value): .int(value)
    case .double(let value): .double(value)
    default: nil
    }
  }

  /// The value where Python wants an integer: integers and booleans.
  var integer: Int? {
    guard case .int(let value)? = number else { return nil }
    return value
  }
}
