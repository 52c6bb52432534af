extension Interpreter {
  mutating func applyTextual(
    _ filter: Filter, to text: String, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue {
    try spend(bytesOf: text)
    switch filter {
    case .lower: return .string(text.lowercased())
    case .upper: return .string(text.uppercased())
    case .capitalize: return .string(text.capitalised)
    case .title: return .string(text.titleFiltered)
    case .trim:
      return try call(.strip, of: text, arguments)
    case .escape:
      return .string(try escaped(text))
    case .replace:
      let bound = try bind(arguments, ["old", "new", "count"], of: "replace")
      let old = try self.text(of: try required(bound[0], "old", of: "replace"))
      let new = try self.text(of: try required(bound[1], "new", of: "replace"))
      let limit = try optionalInteger(bound[2], "count", of: "replace")
      return .string(try replacing(old, with: new, in: text, limit: limit))
    case .format:
      return .string(try formatPercent(text, arguments.positional, named: arguments.named))
    case .center:
      let bound = try bind(arguments, ["width"], of: "center")
      let width = try optionalInteger(bound[0], "width", of: "center") ?? 80
      return .string(try padded(text, to: width, with: " ", .center))
    default:
      return try applyIndent(text, arguments)
    }
  }

  private mutating func escaped(_ text: String) throws(TemplateError) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": try append("&amp;", to: &result)
      case "<": try append("&lt;", to: &result)
      case ">": try append("&gt;", to: &result)
      case "'": try append("&#39;", to: &result)
      case "\"": try append("&#34;", to: &result)
      default: try append(String(scalar), to: &result)
      }
    }
    return result
  }

  private mutating func applyIndent(
    _ text: String, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue {
    let bound = try bind(arguments, ["width", "first", "blank"], of: "indent")
    var indent = ""
    if case .string(let given)? = bound[0] {
      indent = given
    } else {
      let width = try optionalInteger(bound[0], "width", of: "indent") ?? 4
      guard width <= 1024 else { throw fail("'indent' takes a width up to 1024, not \(width)") }
      indent = String(repeating: " ", count: max(0, width))
    }
    let indentsFirst = bound[1]?.isTrue ?? false
    let indentsBlank = bound[2]?.isTrue ?? false
    var result = ""
    // The added line end makes a final one count as a line of its own, as it does in Jinja.
    for (index, line) in (text + "\n").pythonLines.enumerated() {
      if index > 0 { try append("\n", to: &result) }
      let indents = index == 0 ? indentsFirst : indentsBlank || !line.isEmpty
      if indents { try append(indent, to: &result) }
      try append(line, to: &result)
    }
    return .string(result)
  }
}
