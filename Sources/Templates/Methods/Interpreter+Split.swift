extension Interpreter {
  mutating func callSplit(
    _ method: StringMethod, of text: String, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue {
    let name = method.rawValue
    switch method {
    case .splitlines:
      return try makeArray(text.pythonLines.map { .string($0) })
    case .partition, .rpartition:
      let bound = try bind(arguments, ["sep"], of: name)
      let separator = try requiredString(bound[0], "sep", of: name)
      guard !separator.isEmpty else { throw fail("'\(name)' needs a separator") }
      var parts = try split(text, by: separator, limit: 1, fromEnd: method == .rpartition)
      if parts.count == 2 {
        parts.insert(separator, at: 1)
      } else {
        parts = method == .partition ? parts + ["", ""] : ["", ""] + parts
      }
      return try makeArray(parts.map { .string($0) }, form: .tuple)
    default:
      let bound = try bind(arguments, ["sep", "maxsplit"], of: name)
      let limit = try optionalInteger(bound[1], "maxsplit", of: name) ?? -1
      let count = limit < 0 ? Int.max : limit
      var parts: [String]
      if case .null = bound[0] ?? .null {
        parts = splitAtSpaces(text, limit: count, fromEnd: method == .rsplit)
      } else {
        let separator = try requiredString(bound[0], "sep", of: name)
        guard !separator.isEmpty else { throw fail("'\(name)' needs a separator") }
        parts = try split(text, by: separator, limit: count, fromEnd: method == .rsplit)
      }
      return try makeArray(parts.map { .string($0) })
    }
  }

  /// The parts between occurrences of a separator, splitting `limit` times at most.
  private mutating func split(
    _ text: String, by separator: String, limit: Int, fromEnd: Bool
  ) throws(TemplateError) -> [String] {
    var ranges: [Range<String.Index>] = []
    var start = text.utf8.startIndex
    // From the end, overlapping occurrences are taken from the right, so the text is reversed.
    if fromEnd {
      let backwards = String(String.UnicodeScalarView(text.unicodeScalars.reversed()))
      let mirror = String(String.UnicodeScalarView(separator.unicodeScalars.reversed()))
      let parts = try split(backwards, by: mirror, limit: limit, fromEnd: false)
      return parts.reversed().map {
        String(String.UnicodeScalarView($0.unicodeScalars.reversed()))
      }
    }
    while ranges.count < limit, let range = text.utf8.firstRange(of: separator.utf8, from: start) {
      try spend(1)
      ranges.append(range)
      start = range.upperBound
    }
    var parts: [String] = []
    start = text.utf8.startIndex
    for range in ranges {
      parts.append(String(text[start..<range.lowerBound]))
      start = range.upperBound
    }
    parts.append(String(text[start...]))
    return parts
  }

  /// The words of a text; what is left after `limit` splits stays in one piece.
  private func splitAtSpaces(_ text: String, limit: Int, fromEnd: Bool) -> [String] {
    var rest = Array(text.unicodeScalars)
    if fromEnd { rest.reverse() }
    var parts: [[Unicode.Scalar]] = []
    var index = 0
    while true {
      while index < rest.count, rest[index].isPythonSpace { index += 1 }
      guard index < rest.count else { break }
      if parts.count == limit {
        parts.append(Array(rest[index...]))
        break
      }
      let start = index
      while index < rest.count, !rest[index].isPythonSpace { index += 1 }
      parts.append(Array(rest[start..<index]))
    }
    let ordered = fromEnd ? parts.reversed().map { $0.reversed() } : parts
    return ordered.map { String(String.UnicodeScalarView($0)) }
  }
}
