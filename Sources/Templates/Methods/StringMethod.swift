/// The methods of strings.
enum StringMethod: String, Sendable, CaseIterable {
  case capitalize, center, count, endswith, find, format, index, isalnum, isalpha, isdecimal
  case isdigit, islower, isnumeric, isspace, istitle, isupper, join, ljust, lower, lstrip
  case partition, removeprefix, removesuffix, replace, rfind, rindex, rjust, rpartition, rsplit
  case rstrip, split, splitlines, startswith, strip, swapcase, title, upper, zfill
}

extension Interpreter {
  mutating func call(
    _ method: StringMethod, of text: String, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue {
    try spend(bytesOf: text)
    switch method {
    case .capitalize: return .string(text.capitalised)
    case .lower: return .string(text.lowercased())
    case .upper: return .string(text.uppercased())
    case .title: return .string(text.titleCased)
    case .swapcase: return .string(text.swappedCase)
    case .strip, .lstrip, .rstrip: return try callStrip(method, of: text, arguments)
    case .startswith, .endswith: return try callAffix(method, of: text, arguments)
    case .removeprefix, .removesuffix: return try callRemoveAffix(method, of: text, arguments)
    case .find, .rfind, .index, .rindex, .count:
      return try callFind(method, of: text, arguments)
    case .split, .rsplit, .splitlines, .partition, .rpartition:
      return try callSplit(method, of: text, arguments)
    case .replace:
      let bound = try bind(arguments, ["old", "new", "count"], of: "replace")
      return .string(
        try replacing(
          try requiredString(bound[0], "old", of: "replace"),
          with: try requiredString(bound[1], "new", of: "replace"),
          in: text, limit: try optionalInteger(bound[2], "count", of: "replace")))
    case .join:
      let bound = try bind(arguments, ["iterable"], of: "join")
      return .string(try join(try required(bound[0], "iterable", of: "join"), text, strict: true))
    case .format:
      return .string(try formatBraces(text, arguments))
    case .center, .ljust, .rjust, .zfill:
      return try callPad(method, of: text, arguments)
    case .isalnum, .isalpha, .isdecimal, .isdigit, .islower, .isnumeric, .isspace, .istitle,
      .isupper:
      return .bool(text.satisfies(method))
    }
  }

  private mutating func callStrip(
    _ method: StringMethod, of text: String, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue {
    let left = method != .rstrip
    let right = method != .lstrip
    switch try bind(arguments, ["chars"], of: method.rawValue)[0] {
    case .string(let characters)?:
      let set = Set(characters.unicodeScalars)
      return .string(text.stripped(left: left, right: right, set.contains))
    case nil, .null?:
      return .string(text.stripped(left: left, right: right, \.isPythonSpace))
    case let other?:
      throw fail("'\(method.rawValue)' takes a string, not '\(other.typeName)'")
    }
  }

  private mutating func callAffix(
    _ method: StringMethod, of text: String, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue {
    let bound = try bind(arguments, ["affix"], of: method.rawValue)
    let affix = try required(bound[0], "affix", of: method.rawValue)
    var candidates = [affix]
    if case .array(let array) = affix, array.form == .tuple { candidates = array.elements }
    for candidate in candidates {
      let part = try requiredString(candidate, "affix", of: method.rawValue)
      let matches =
        method == .startswith
        ? text.utf8.starts(with: part.utf8)
        : text.utf8.reversed().starts(with: part.utf8.reversed())
      if matches { return .bool(true) }
    }
    return .bool(false)
  }

  private mutating func callRemoveAffix(
    _ method: StringMethod, of text: String, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue {
    let bound = try bind(arguments, ["affix"], of: method.rawValue)
    let part = try requiredString(bound[0], "affix", of: method.rawValue)
    let count = part.unicodeScalars.count
    if method == .removeprefix, text.utf8.starts(with: part.utf8) {
      return .string(String(text.unicodeScalars.dropFirst(count)))
    }
    if method == .removesuffix, text.utf8.reversed().starts(with: part.utf8.reversed()) {
      return .string(String(text.unicodeScalars.dropLast(count)))
    }
    return .string(text)
  }

  private mutating func callPad(
    _ method: StringMethod, of text: String, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue {
    let bound = try bind(arguments, ["width", "fill"], of: method.rawValue)
    let width = try optionalInteger(bound[0], "width", of: method.rawValue) ?? 0
    var fill = method == .zfill ? "0" : " "
    if case .string(let given)? = bound[1] { fill = given }
    return .string(try padded(text, to: width, with: fill, method))
  }

  /// `text` filled up to `width` code points.
  mutating func padded(
    _ text: String, to width: Int, with fill: String, _ method: StringMethod
  ) throws(TemplateError) -> String {
    let (missing, overflow) = width.subtractingReportingOverflow(text.unicodeScalars.count)
    guard !overflow, missing > 0 else { return text }
    // Python puts the odd one out on the left if the width is odd, else on the right.
    let left =
      switch method {
      case .ljust: 0
      case .center: missing / 2 + (missing & width & 1)
      default: missing
      }
    var result = ""
    var rest = text
    if method == .zfill, let sign = text.unicodeScalars.first, sign == "-" || sign == "+" {
      result.unicodeScalars.append(sign)
      rest = String(text.unicodeScalars.dropFirst())
    }
    try append(try repeated(fill, left), to: &result)
    try append(rest, to: &result)
    try append(try repeated(fill, missing - left), to: &result)
    return result
  }
}
