import JSON

/// The members of a JSON object, read by name: what is missing, of another kind or unknown is an error
/// that names the place.
struct Fields {
  private let object: JSONObject
  /// Such as `models[3].variants[0]`.
  let place: String

  init(_ value: JSONValue, place: String) throws(FieldError) {
    guard case .object(let object) = value else { throw FieldError(place, "is not an object") }
    self.object = object
    self.place = place
  }

  /// Refuses members that are not among these: a misspelt name would be ignored else.
  func expectOnly(_ keys: String...) throws(FieldError) {
    for key in object.keys where !keys.contains(key) {
      throw FieldError(at(key), "is not known")
    }
  }

  func text(_ key: String) throws(FieldError) -> String {
    guard let text = try optionalText(key) else { throw FieldError(at(key), "is missing") }
    return text
  }

  func optionalText(_ key: String) throws(FieldError) -> String? {
    guard let value = object[key] else { return nil }
    guard let text = value.stringValue, !text.isEmpty else {
      throw FieldError(at(key), "is not a text")
    }
    return text
  }

  func count(_ key: String, in range: ClosedRange<Int>) throws(FieldError) -> Int {
    guard let count = try optionalCount(key, in: range) else {
      throw FieldError(at(key), "is missing")
    }
    return count
  }

  func optionalCount(_ key: String, in range: ClosedRange<Int>) throws(FieldError) -> Int? {
    guard let value = object[key] else { return nil }
    guard let count = value.intValue else { throw FieldError(at(key), "is not a whole number") }
    guard range.contains(count) else {
      throw FieldError(at(key), "is \(count), not \(range.lowerBound) to \(range.upperBound)")
    }
    return count
  }

  func optionalNumber(_ key: String, in range: ClosedRange<Double>) throws(FieldError) -> Double? {
    guard let value = object[key] else { return nil }
    guard let number = value.doubleValue, range.contains(number) else {
      throw FieldError(
        at(key), "is not a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func flag(_ key: String) throws(FieldError) -> Bool {
    guard let value = object[key]?.boolValue else {
      throw FieldError(at(key), "is not true or false")
    }
    return value
  }

  /// One of the cases of an enumeration.
  func choice<Value: RawRepresentable & CaseIterable>(
    _ key: String, of type: Value.Type
  ) throws(FieldError) -> Value where Value.RawValue == String {
    let word = try text(key)
    guard let value = Value(rawValue: word) else {
      let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw FieldError(at(key), "is none of \(words)")
    }
    return value
  }

  func object(_ key: String) throws(FieldError) -> Fields? {
    guard let value = object[key] else { return nil }
    return try Fields(value, place: at(key))
  }

  /// The objects of an array; none where there is no such member.
  func objects(_ key: String) throws(FieldError) -> [Fields] {
    guard let value = object[key] else { return [] }
    guard let array = value.arrayValue else { throw FieldError(at(key), "is not an array") }
    var fields: [Fields] = []
    for (index, value) in array.enumerated() {
      fields.append(try Fields(value, place: "\(at(key))[\(index)]"))
    }
    return fields
  }

  /// The texts of an array; none where there is no such member.
  func texts(_ key: String) throws(FieldError) -> [String] {
    guard let value = object[key] else { return [] }
    guard let array = value.arrayValue else { throw FieldError(at(key), "is not an array") }
    var texts: [String] = []
    for (index, value) in array.enumerated() {
      guard let text = value.stringValue else {
        throw FieldError("\(at(key))[\(index)]", "is not a text")
      }
      texts.append(text)
    }
    return texts
  }

  /// An error about one member.
  func error(_ key: String, _ problem: String) -> FieldError { FieldError(at(key), problem) }

  private func at(_ key: String) -> String {
    let key = key.displayable(limit: 60)
    return place.isEmpty ? key : place + "." + key
  }
}

/// What is wrong with one member of a JSON text.
package struct FieldError: Error, Hashable, CustomStringConvertible {
  package let place: String
  package let problem: String

  init(_ place: String, _ problem: String) {
    self.place = place
    self.problem = problem
  }

  package var description: String { "\(place.isEmpty ? "the text" : place) \(problem)" }
}
