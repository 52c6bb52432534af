// No ExpressibleByNilLiteral: `condition ? nil : value` would then be null and never nil.
extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(integerLiteral value: Int) { self = .integer(value) }
  package init(floatLiteral value: Double) { self = .number(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// Members in their order; of equal keys the last counts.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements))
  }

  /// Members in their order; of equal keys the last counts.
  package static func members(_ members: [(String, JSONValue)]) -> JSONValue {
    .object(JSONObject(members))
  }

  /// An integer of any size up to 64 bits.
  package static func unsigned(_ value: UInt64) -> JSONValue {
    Int(exactly: value).map { .integer($0) } ?? .large(value)
  }

  package static func optional(_ value: Double?) -> JSONValue { value.map { .number($0) } ?? .null }
  package static func optional(_ value: Int?) -> JSONValue { value.map { .integer($0) } ?? .null }
  package static func optional(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
  package static func optional(_ value: Bool?) -> JSONValue { value.map { .bool($0) } ?? .null }
}
