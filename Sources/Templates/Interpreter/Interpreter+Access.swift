extension Interpreter {
  /// Python's iteration: elements, keys, or characters.
  mutating func elements(of value: TemplateValue) throws(TemplateError) -> [TemplateValue] {
    switch value {
    case .array(let array):
      return array.elements
    case .object(let object):
      try spend(object.count)
      return object.keys
    case .string(let text):
      try spend(text.utf8.count)
      return text.unicodeScalars.map { .string(String($0)) }
    case .undefined:
      return []
    default:
      throw fail("'\(value.typeName)' cannot be iterated over")
    }
  }

  /// `value.name`.
  func attribute(_ name: String, of value: TemplateValue) throws(TemplateError) -> TemplateValue {
    switch value {
    case .object(let object):
      if ObjectMethod(rawValue: name) != nil { return .reference(to: .method) }
      return object[name] ?? missing(name, in: value)
    case .string:
      return StringMethod(rawValue: name) == nil
        ? missing(name, in: value) : .reference(to: .method)
    case .undefined(let reason):
      throw fail(reason)
    case .reference(let reference):
      return attribute(name, of: reference) ?? missing(name, in: value)
    default:
      return missing(name, in: value)
    }
  }

  private func attribute(_ name: String, of reference: TemplateReference) -> TemplateValue? {
    switch reference.target {
    case .namespace(let number):
      namespaces[number][name]
    case .loop(let number) where number < loops.count:
      loops[number].attribute(name, depth: 1)
    case .macro(let number) where name == "name":
      .string(program.macros[closures[number].macro].name)
    default: nil
    }
  }

  private func missing(_ name: String, in value: TemplateValue) -> TemplateValue {
    .undefined("'\(value.typeName)' has no attribute '\(name)'")
  }

  /// `value[index]`.
  mutating func item(
    _ index: TemplateValue, of value: TemplateValue
  ) throws(TemplateError) -> TemplateValue {
    switch (value, index) {
    case (.undefined(let reason), _):
      throw fail(reason)
    case (.object(let object), _):
      if index.isKey, let element = object[index] { return element }
      if case .string(let key) = index { return try attribute(key, of: value) }
    case (.reference, .string(let key)), (.string, .string(let key)):
      return try attribute(key, of: value)
    case (.array(let array), _):
      guard let index = index.integer else { break }
      let position = index < 0 ? index + array.count : index
      guard array.elements.indices.contains(position) else { break }
      return array.elements[position]
    case (.string(let text), _):
      guard let index = index.integer else { break }
      try spend(text.utf8.count)
      let scalars = text.unicodeScalars
      let position = index < 0 ? index + scalars.count : index
      guard position >= 0,
        let place = scalars.index(
          scalars.startIndex, offsetBy: position, limitedBy: scalars.endIndex),
        place < scalars.endIndex
      else { break }
      return .string(String(scalars[place]))
    default: break
    }
    return .undefined("'\(value.typeName)' has no element \(try quoted(index))")
  }

  private mutating func quoted(_ value: TemplateValue) throws(TemplateError) -> String {
    switch value {
    case .array, .object: return "of type '\(value.typeName)'"
    default: return try representation(of: value)
    }
  }

  /// `value[from:to:stride]`.
  mutating func applySlice(
    _ from: Expression?, _ to: Expression?, _ stride: Expression?, at place: SourceLocation,
    to value: TemplateValue
  ) throws(TemplateError) -> TemplateValue {
    let start = try bound(from)
    let end = try bound(to)
    let step = try bound(stride) ?? 1
    location = place
    guard step != 0 else { throw fail("a slice's step cannot be zero") }
    switch value {
    case .array(let array):
      let indices = Self.sliceIndices(array.count, start, end, step)
      return try makeArray(indices.map { array.elements[$0] }, form: array.form)
    case .string(let text):
      try spend(text.utf8.count)
      let scalars = Array(text.unicodeScalars)
      var result = String.UnicodeScalarView()
      for index in Self.sliceIndices(scalars.count, start, end, step) {
        result.append(scalars[index])
      }
      return .string(String(result))
    case .undefined(let reason):
      throw fail(reason)
    default:
      throw fail("'\(value.typeName)' cannot be sliced")
    }
  }

  private mutating func bound(_ expression: Expression?) throws(TemplateError) -> Int? {
    guard let expression else { return nil }
    let value = try evaluate(expression)
    if case .null = value { return nil }
    guard let number = value.integer else {
      throw fail("a slice takes integers, not '\(value.typeName)'")
    }
    return number
  }

  /// The indices of a slice, clamped as Python clamps them.
  private static func sliceIndices(
    _ count: Int, _ start: Int?, _ end: Int?, _ step: Int
  ) -> StrideTo<Int> {
    func clamp(_ index: Int, _ low: Int, _ high: Int) -> Int {
      let fromEnd = index < 0 ? index.addingReportingOverflow(count).partialValue : index
      return min(max(fromEnd, low), high)
    }
    // A step beyond the list visits one element, whatever its size.
    let step = min(max(step, -count - 1), count + 1)
    if step > 0 {
      return stride(
        from: start.map { clamp($0, 0, count) } ?? 0,
        to: end.map { clamp($0, 0, count) } ?? count, by: step)
    }
    return stride(
      from: start.map { clamp($0, -1, count - 1) } ?? count - 1,
      to: end.map { clamp($0, -1, count - 1) } ?? -1, by: step)
  }
}
