/// A JSON value; objects keep the order of their keys.
package enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  /// A number written without fraction and exponent that fits.
  case integer(Int)
  /// A number written without fraction and exponent from 2⁶³ up to 2⁶⁴ − 1.
  case large(UInt64)
  /// Any other number.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

extension JSONValue {
  package var boolValue: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// The integer, also if it was written as 2.0.
  package var intValue: Int? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The number, integer or not.
  package var doubleValue: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .large(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// The integer that is not negative.
  package var unsignedValue: UInt64? {
    if case .large(let value) = self { return value }
    return intValue.flatMap { UInt64(exactly: $0) }
  }

  package var stringValue: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  package var arrayValue: [JSONValue]? {
    guard case .array(let value) = self else { return nil }
    return value
  }

  package var objectValue: JSONObject? {
    guard case .object(let value) = self else { return nil }
    return value
  }

  /// The member of an object; nil if there is none, if it is null, or if this is no object.
  ///
  /// Configurations write null for "not set", so the two are the same here. Use `objectValue` to
  /// tell them apart.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let object) = self, let value = object[key], value != .null else {
      return nil
    }
    return value
  }
}
