extension Interpreter {
  /// Python's `str(value)`.
  mutating func text(of value: TemplateValue) throws(TemplateError) -> String {
    switch value {
    case .string(let text): return text
    case .undefined: return ""
    default: return try representation(of: value)
    }
  }

  /// Python's `repr(value)`.
  mutating func representation(of value: TemplateValue) throws(TemplateError) -> String {
    var text = ""
    try write(value, to: &text)
    return text
  }

  private mutating func write(
    _ value: TemplateValue, to text: inout String
  ) throws(TemplateError) {
    try spend(1)
    switch value {
    case .undefined: try append("Undefined", to: &text)
    case .null: try append("None", to: &text)
    case .bool(let value): try append(value ? "True" : "False", to: &text)
    case .int(let value): try append("\(value)", to: &text)
    case .double(let value): try append(value.pythonDescription, to: &text)
    case .string(let value):
      try spend(bytesOf: value)
      try append(value.pythonRepresentation, to: &text)
    case .array(let array):
      let isTuple = array.form == .tuple
      try append(isTuple ? "(" : "[", to: &text)
      for (index, element) in array.elements.enumerated() {
        if index > 0 { try append(", ", to: &text) }
        try write(element, to: &text)
      }
      try append(isTuple ? (array.count == 1 ? ",)" : ")") : "]", to: &text)
    case .object(let object):
      try append("{", to: &text)
      for (index, (key, element)) in object.pairs.enumerated() {
        if index > 0 { try append(", ", to: &text) }
        try write(key, to: &text)
        try append(": ", to: &text)
        try write(element, to: &text)
      }
      try append("}", to: &text)
    case .reference(let reference):
      try append("<\(reference.typeName)>", to: &text)
    }
  }
}
