/// How `tojson` lays out its text, in the parameters of Python's `json.dumps`.
struct JSONStyle {
  /// What one level is indented by; nil puts everything on one line.
  var indent: String?
  var itemSeparator = ", "
  var keySeparator = ": "
  var escapesNonASCII = false
  var sortsKeys = false
}

extension Interpreter {
  mutating func applyToJSON(
    _ value: TemplateValue, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue {
    let bound = try bind(
      arguments, ["ensure_ascii", "indent", "separators", "sort_keys"], of: "tojson")
    var style = JSONStyle()
    style.escapesNonASCII = bound[0]?.isTrue ?? false
    if let indent = bound[1]?.integer {
      style.indent = String(repeating: " ", count: min(max(indent, 0), 64))
    } else if case .string(let indent)? = bound[1] {
      style.indent = indent
    }
    if style.indent != nil { style.itemSeparator = "," }
    if case .array(let pair)? = bound[2] {
      guard pair.count == 2, case .string(let item) = pair.elements[0],
        case .string(let key) = pair.elements[1]
      else { throw fail("tojson's separators are two strings") }
      style.itemSeparator = item
      style.keySeparator = key
    }
    style.sortsKeys = bound[3]?.isTrue ?? false
    var text = ""
    try writeJSON(value, style, level: 0, to: &text)
    return .string(text)
  }

  private mutating func writeJSON(
    _ value: TemplateValue, _ style: JSONStyle, level: Int, to text: inout String
  ) throws(TemplateError) {
    try spend(1)
    switch value {
    case .null: try append("null", to: &text)
    case .bool(let value): try append(value ? "true" : "false", to: &text)
    case .int(let value): try append("\(value)", to: &text)
    case .double(let value):
      let word = value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity"
      try append(value.isFinite ? value.pythonDescription : word, to: &text)
    case .string(let value): try writeJSON(value, style, to: &text)
    case .array(let array):
      guard array.form != .generator else { throw withoutJSONForm(value) }
      guard array.count > 0 else { return try append("[]", to: &text) }
      try append("[", to: &text)
      for (index, element) in array.elements.enumerated() {
        try startItem(index, style, level: level + 1, in: &text)
        try writeJSON(element, style, level: level + 1, to: &text)
      }
      try endItems(style, level: level, in: &text)
      try append("]", to: &text)
    case .object(let object):
      guard !object.isEmpty else { return try append("{}", to: &text) }
      try append("{", to: &text)
      for (index, (key, element)) in try jsonPairs(object, style).enumerated() {
        try startItem(index, style, level: level + 1, in: &text)
        try writeJSON(key, style, to: &text)
        try append(style.keySeparator, to: &text)
        try writeJSON(element, style, level: level + 1, to: &text)
      }
      try endItems(style, level: level, in: &text)
      try append("}", to: &text)
    case .undefined, .reference:
      throw withoutJSONForm(value)
    }
  }

  /// The pairs of an object with their keys as text, in the order they are written.
  private func jsonPairs(
    _ object: TemplateObject, _ style: JSONStyle
  ) throws(TemplateError) -> [(String, TemplateValue)] {
    var pairs: [(String, TemplateValue)] = []
    for (key, element) in object.pairs {
      let name: String
      switch key {
      case .string(let text): name = text
      case .null: name = "null"
      case .bool(let value): name = value ? "true" : "false"
      case .int(let value): name = "\(value)"
      case .double(let value): name = value.pythonDescription
      default: throw withoutJSONForm(key)
      }
      pairs.append((name, element))
    }
    return style.sortsKeys ? pairs.sorted { $0.0.precedes($1.0) } : pairs
  }

  private func withoutJSONForm(_ value: TemplateValue) -> TemplateError {
    fail("a value of type '\(value.typeName)' has no JSON form")
  }

  private mutating func startItem(
    _ index: Int, _ style: JSONStyle, level: Int, in text: inout String
  ) throws(TemplateError) {
    if index > 0 { try append(style.itemSeparator, to: &text) }
    try breakLine(style, level: level, in: &text)
  }

  private mutating func endItems(
    _ style: JSONStyle, level: Int, in text: inout String
  ) throws(TemplateError) {
    try breakLine(style, level: level, in: &text)
  }

  private mutating func breakLine(
    _ style: JSONStyle, level: Int, in text: inout String
  ) throws(TemplateError) {
    guard let indent = style.indent else { return }
    try append("\n", to: &text)
    for _ in 0..<level { try append(indent, to: &text) }
  }

  private mutating func writeJSON(
    _ string: String, _ style: JSONStyle, to text: inout String
  ) throws(TemplateError) {
    try spend(bytesOf: string)
    try append(string.jsonLiteral(escapingNonASCII: style.escapesNonASCII), to: &text)
  }
}
