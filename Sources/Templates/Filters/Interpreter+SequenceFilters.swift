extension Interpreter {
  mutating func applySequential(
    _ filter: Filter, to value: TemplateValue, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue {
    switch filter {
    case .list:
      return try makeArray(try elements(of: value))
    case .first:
      return try elements(of: value).first ?? .undefined("there is no first item")
    case .last:
      return try elements(of: value).last ?? .undefined("there is no last item")
    case .reverse:
      if case .string(let text) = value {
        try spend(text.utf8.count)
        return .string(String(String.UnicodeScalarView(text.unicodeScalars.reversed())))
      }
      return try makeArray(try elements(of: value).reversed(), form: .generator)
    case .join:
      let bound = try bind(arguments, ["d", "attribute"], of: "join")
      var parts = value
      if let name = bound[1] { parts = try mapped(value, attribute: name, default: nil) }
      return .string(try join(parts, try text(of: bound[0] ?? .string("")), strict: false))
    case .dictsort: return try applyDictSort(value, arguments)
    case .sort: return try applySort(value, arguments)
    case .unique: return try applyUnique(value, arguments)
    case .sum:
      let bound = try bind(arguments, ["attribute", "start"], of: "sum")
      var total = bound[1] ?? .int(0)
      for element in try elements(of: value) {
        total = try combine(
          total, .add, try key(of: element, attribute: bound[0], foldsCase: false))
      }
      return total
    default:
      return try applyExtreme(filter, to: value, arguments)
    }
  }

  /// The texts of a sequence with a separator between them.
  ///
  /// `strict` refuses what is no string, as `str.join` does and the filter does not.
  mutating func join(
    _ value: TemplateValue, _ separator: String, strict: Bool
  ) throws(TemplateError) -> String {
    var result = ""
    for (index, element) in try elements(of: value).enumerated() {
      try spend(1)
      if index > 0 { try append(separator, to: &result) }
      if strict { _ = try requiredString(element, "iterable", of: "join") }
      let part = try text(of: element)
      try append(part, to: &result)
    }
    return result
  }

  /// What an element is sorted or compared by.
  mutating func key(
    of element: TemplateValue, attribute: TemplateValue?, foldsCase: Bool
  ) throws(TemplateError) -> TemplateValue {
    var key = element
    if let attribute, attribute != .null { key = try path(attribute, of: element) }
    if foldsCase, case .string(let text) = key {
      try spend(bytesOf: text)
      return .string(text.lowercased())
    }
    return key
  }

  private mutating func applyDictSort(
    _ value: TemplateValue, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue {
    let bound = try bind(arguments, ["case_sensitive", "by", "reverse"], of: "dictsort")
    guard case .object(let object) = value else {
      throw fail("'dictsort' takes a dictionary, not '\(value.typeName)'")
    }
    let foldsCase = !(bound[0]?.isTrue ?? false)
    var byValue = false
    if case .string(let by)? = bound[1] { byValue = by == "value" }
    var keyed: [Keyed] = []
    for (name, element) in object.pairs {
      let pair = try makeArray([name, element], form: .tuple)
      let key = try key(
        of: byValue ? element : name, attribute: nil, foldsCase: foldsCase)
      keyed.append(Keyed(keys: [key], element: pair))
    }
    return try makeArray(try sorted(keyed, reverse: bound[2]?.isTrue ?? false).map(\.element))
  }

  private mutating func applySort(
    _ value: TemplateValue, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue {
    let bound = try bind(arguments, ["reverse", "case_sensitive", "attribute"], of: "sort")
    let foldsCase = !(bound[1]?.isTrue ?? false)
    var attributes: [TemplateValue?] = [bound[2]]
    if case .string(let names)? = bound[2] {
      attributes = names.split(separator: ",").map { .string(String($0)) }
    }
    var keyed: [Keyed] = []
    for element in try elements(of: value) {
      var keys: [TemplateValue] = []
      for attribute in attributes {
        keys.append(try key(of: element, attribute: attribute, foldsCase: foldsCase))
      }
      keyed.append(Keyed(keys: keys, element: element))
    }
    return try makeArray(try sorted(keyed, reverse: bound[0]?.isTrue ?? false).map(\.element))
  }

  private mutating func applyUnique(
    _ value: TemplateValue, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue {
    let bound = try bind(arguments, ["case_sensitive", "attribute"], of: "unique")
    let foldsCase = !(bound[0]?.isTrue ?? false)
    var seen: [TemplateValue] = []
    var kept: [TemplateValue] = []
    for element in try elements(of: value) {
      let key = try key(of: element, attribute: bound[1], foldsCase: foldsCase)
      var isNew = true
      for earlier in seen where try equal(earlier, key) {
        isNew = false
        break
      }
      guard isNew else { continue }
      seen.append(key)
      kept.append(element)
    }
    return try makeArray(kept, form: .generator)
  }

  private mutating func applyExtreme(
    _ filter: Filter, to value: TemplateValue, _ arguments: CallArguments
  ) throws(TemplateError) -> TemplateValue {
    let bound = try bind(arguments, ["case_sensitive", "attribute"], of: filter.rawValue)
    let foldsCase = !(bound[0]?.isTrue ?? false)
    var best: Keyed?
    for element in try elements(of: value) {
      let key = try key(of: element, attribute: bound[1], foldsCase: foldsCase)
      guard let known = best?.keys.first else {
        best = Keyed(keys: [key], element: element)
        continue
      }
      let isBetter = filter == .min ? try precedes(key, known) : try precedes(known, key)
      if isBetter { best = Keyed(keys: [key], element: element) }
    }
    return best?.element ?? .undefined("the sequence is empty")
  }
}
