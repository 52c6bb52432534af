extension JSONCursor {
  /// The next value, as a tree.
  package mutating func readValue() throws(JSONError) -> JSONValue {
    guard valuesLeft > 0 else { throw error(.tooManyValues) }
    valuesLeft -= 1
    switch try peek() {
    case UInt8(ascii: "{"): return .object(try readTree())
    case UInt8(ascii: "["):
      try descend()
      var elements: [JSONValue] = []
      if try !take(UInt8(ascii: "]")) {
        repeat { elements.append(try readValue()) } while try continues(to: UInt8(ascii: "]"))
      }
      depth -= 1
      return .array(elements)
    case UInt8(ascii: "\""): return .string(try readString())
    default: return try readScalar()
    }
  }

  private mutating func readTree() throws(JSONError) -> JSONObject {
    let start = offset
    try descend()
    var keys: [String] = []
    var values: [JSONValue] = []
    if try !take(UInt8(ascii: "}")) {
      repeat {
        keys.append(try readString())
        try expect(UInt8(ascii: ":"))
        values.append(try readValue())
      } while try continues(to: UInt8(ascii: "}"))
    }
    depth -= 1
    switch JSONObject.make(keys: keys, values: values) {
    case .success(let object): return object
    case .failure(let duplicate) where form == .strict:
      throw JSONError(offset: start, reason: .duplicateKey(keys[duplicate.position]))
    case .failure: return JSONObject(zip(keys, values))
    }
  }

  private mutating func descend() throws(JSONError) {
    guard depth < depthLimit else { throw error(.nestedTooDeeply(limit: depthLimit)) }
    depth += 1
    offset += 1
  }

  /// Passes a comma, or the closing byte: true means that another element follows.
  private mutating func continues(to closing: UInt8) throws(JSONError) -> Bool {
    if try take(closing) { return false }
    try expect(UInt8(ascii: ","))
    return true
  }

  /// A word or a number.
  mutating func readScalar() throws(JSONError) -> JSONValue {
    switch try peek() {
    case UInt8(ascii: "t"): return try readWord("true", .bool(true))
    case UInt8(ascii: "f"): return try readWord("false", .bool(false))
    case UInt8(ascii: "n"): return try readWord("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try readNumber()
    default: throw unexpected()
    }
  }

  private mutating func readWord(
    _ word: StaticString, _ value: JSONValue
  ) throws(JSONError) -> JSONValue {
    for byte in "\(word)".utf8 {
      guard isNext(byte) else { throw unexpected() }
      offset += 1
    }
    return value
  }
}
