extension Interpreter {
  /// `find`, `index` and `count`, in code points.
  mutating func callFind(
    _ method: StringMethod, of text: String, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue {
    let bound = try bind(arguments, ["part", "start", "end"], of: method.rawValue)
    let part = Array(
      try requiredString(bound[0], "part", of: method.rawValue).unicodeScalars)
    let scalars = Array(text.unicodeScalars)
    try spend(scalars.count)
    func place(_ index: Int?) -> Int? {
      index.map { min(max($0 < 0 ? $0 &+ scalars.count : $0, 0), scalars.count) }
    }
    let start = place(try optionalInteger(bound[1], "start", of: method.rawValue)) ?? 0
    let end = place(try optionalInteger(bound[2], "end", of: method.rawValue)) ?? scalars.count
    var found: [Int] = []
    var index = start
    while index <= end - part.count {
      if scalars[index..<(index + part.count)].elementsEqual(part) {
        found.append(index)
        if method == .find || method == .index { break }
        if method == .count, !part.isEmpty { index += part.count - 1 }
      }
      index += 1
    }
    switch method {
    case .count: return .int(found.count)
    case .find, .rfind: return .int(found.last ?? -1)
    default:
      guard let last = found.last else { throw fail("'\(method.rawValue)' finds nothing") }
      return .int(last)
    }
  }

  /// Python's `replace`; an empty `old` stands between all characters.
  mutating func replacing(
    _ old: String, with new: String, in text: String, limit: Int?
  ) throws(TemplateError) -> String {
    try spend(bytesOf: text)
    var remaining = limit.map { $0 < 0 ? Int.max : $0 } ?? Int.max
    var result = ""
    if old.isEmpty {
      for scalar in text.unicodeScalars {
        if remaining > 0 {
          try append(new, to: &result)
          remaining -= 1
        }
        try spend(1)
        result.unicodeScalars.append(scalar)
      }
      if remaining > 0 { try append(new, to: &result) }
      return result
    }
    var start = text.utf8.startIndex
    while remaining > 0, let range = text.utf8.firstRange(of: old.utf8, from: start) {
      try append(String(text[start..<range.lowerBound]), to: &result)
      try append(new, to: &result)
      try spend(1)
      start = range.upperBound
      remaining -= 1
    }
    try append(String(text[start...]), to: &result)
    return result
  }
}
