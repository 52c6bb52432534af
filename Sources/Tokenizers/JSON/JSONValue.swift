/// A small piece of JSON.
enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([(key: String, value: JSONValue)])

  /// The member `key` of an object; nil if it is missing or null.
  subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self,
      let value = members.first(where: { $0.key == key })?.value
    else { return nil }
    return value.unlessNull
  }

  var unlessNull: JSONValue? {
    if case .null = self { nil } else { self }
  }

  var string: String? {
    if case .string(let string) = self { string } else { nil }
  }

  var bool: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }

  var integer: Int? {
    // `Int(exactly:)` would need the C mathematics library.
    guard case .number(let number) = self, number.magnitude < 1e15, Double(Int(number)) == number
    else { return nil }
    return Int(number)
  }

  var array: [JSONValue]? {
    if case .array(let array) = self { array } else { nil }
  }

  /// The `type` of a part of tokenizer.json.
  var type: String? { self["type"]?.string }
}
