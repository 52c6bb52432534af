package import JSON

extension TemplateValue {
  /// The value of a JSON text, read as Python's `json` would; keys keep their order, and numbers
  /// without point and exponent are integers as far as they fit into 64 bits.
  ///
  /// Nesting is bounded by `maximumDepth`.
  package init(json: some Sequence<UInt8>, maximumDepth: Int = 100) throws(JSONError) {
    self.init(
      try JSONReader.read(Array(json), form: .lenient, depthLimit: maximumDepth))
  }

  package init(json: String, maximumDepth: Int = 100) throws(JSONError) {
    try self.init(json: json.utf8, maximumDepth: maximumDepth)
  }

  package init(_ json: JSONValue) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .int(value)
    case .large(let value): self = .double(Double(value))
    case .number(let value): self = .double(value)
    case .string(let value): self = .string(value)
    case .array(let values): self = .array(TemplateArray(values.map { TemplateValue($0) }))
    case .object(let members):
      var object = TemplateObject()
      for (key, value) in members { object[key] = TemplateValue(value) }
      self = .object(object)
    }
  }
}
