extension JSONValue {
  /// The value as JSON on one line; not-a-number and infinity are null.
  package var text: String { text(indent: nil) }

  /// The value as JSON, each member on a line of its own.
  package var indentedText: String { text(indent: 0) }

  private func text(indent: Int?) -> String {
    var text = ""
    write(to: &text, indent: indent)
    return text
  }

  private func write(to text: inout String, indent: Int?) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .large(let value): text += String(value)
    case .number(let value): text += value.isFinite ? Self.text(value) : "null"
    case .string(let value): Self.write(value, to: &text)
    case .array(let values):
      guard !values.isEmpty else { return text += "[]" }
      // A list of numbers, such as token ids, stays on its line.
      let isFlat = values.allSatisfy { $0.doubleValue != nil }
      let inner = isFlat ? nil : indent.map { $0 + 1 }
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        Self.breakLine(inner, in: &text)
        value.write(to: &text, indent: inner)
      }
      if !isFlat { Self.breakLine(indent, in: &text) }
      text += "]"
    case .object(let object):
      guard object.count > 0 else { return text += "{}" }
      let inner = indent.map { $0 + 1 }
      text += "{"
      for (index, (key, value)) in object.enumerated() {
        if index > 0 { text += "," }
        Self.breakLine(inner, in: &text)
        Self.write(key, to: &text)
        text += indent == nil ? ":" : ": "
        value.write(to: &text, indent: inner)
      }
      Self.breakLine(indent, in: &text)
      text += "}"
    }
  }

  private static func breakLine(_ indent: Int?, in text: inout String) {
    guard let indent else { return }
    text += "\n"
    for _ in 0..<indent { text += "  " }
  }

  /// The shortest text that reads back as the same number; 2.0 is written as 2.
  private static func text(_ value: Double) -> String {
    if value == value.rounded(), abs(value) < 1e15 { return String(Int(value)) }
    return String(value)
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    // Most strings need no escape.
    if string.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C && $0 < 0x7F }) {
      text += string
    } else {
      for scalar in string.unicodeScalars { write(scalar, to: &text) }
    }
    text += "\""
  }

  private static func write(_ scalar: Unicode.Scalar, to text: inout String) {
    switch scalar {
    case "\"": text += "\\\""
    case "\\": text += "\\\\"
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    // C1 controls too, since JSON is also printed on terminals.
    case "\u{0}"..<"\u{20}", "\u{7F}"..<"\u{A0}":
      let digits = String(scalar.value, radix: 16)
      text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: text.unicodeScalars.append(scalar)
    }
  }
}
