/// Why a text is no JSON.
package struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
  package var reason: String
  /// In bytes from the start.
  package var offset: Int

  package var description: String { "The JSON is malformed at byte \(offset): \(reason)." }
}

/// Reads strict JSON into template values: order of keys kept, integers kept apart from others.
struct JSONReader {
  let bytes: [UInt8]
  var position = 0
  private let maximumDepth: Int
  private var depth = 0

  init(_ bytes: [UInt8], maximumDepth: Int) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
  }

  /// The value of the whole text.
  mutating func readDocument() throws(JSONError) -> TemplateValue {
    let value = try readValue()
    skipSpaces()
    guard position == bytes.count else { throw malformed("something follows the value") }
    return value
  }

  func malformed(_ reason: String) -> JSONError { JSONError(reason: reason, offset: position) }

  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpaces() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private mutating func readValue() throws(JSONError) -> TemplateValue {
    skipSpaces()
    switch next {
    case UInt8(ascii: "{"): return try readObject()
    case UInt8(ascii: "["): return try readArray()
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "t"): return try read("true", as: .bool(true))
    case UInt8(ascii: "f"): return try read("false", as: .bool(false))
    case UInt8(ascii: "n"): return try read("null", as: .null)
    case UInt8(ascii: "-"): return try readNumber()
    case nil: throw malformed("a value is missing")
    case let byte?:
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
        throw malformed("a value cannot begin like this")
      }
      return try readNumber()
    }
  }

  private mutating func read(
    _ word: StaticString, as value: TemplateValue
  ) throws(JSONError) -> TemplateValue {
    for byte in word.description.utf8 {
      guard next == byte else { throw malformed("expected '\(word)'") }
      position += 1
    }
    return value
  }

  private mutating func enter() throws(JSONError) {
    depth += 1
    guard depth <= maximumDepth else {
      throw malformed("it is nested more than \(maximumDepth) levels deep")
    }
  }

  private mutating func readArray() throws(JSONError) -> TemplateValue {
    try enter()
    position += 1
    var elements: [TemplateValue] = []
    skipSpaces()
    if next == UInt8(ascii: "]") {
      position += 1
    } else {
      repeat { elements.append(try readValue()) } while try continues(before: UInt8(ascii: "]"))
    }
    depth -= 1
    return .array(TemplateArray(elements))
  }

  private mutating func readObject() throws(JSONError) -> TemplateValue {
    try enter()
    position += 1
    var object = TemplateObject()
    skipSpaces()
    if next == UInt8(ascii: "}") {
      position += 1
    } else {
      repeat {
        skipSpaces()
        guard next == UInt8(ascii: "\"") else { throw malformed("a key is a string") }
        let key = try readString()
        skipSpaces()
        guard next == UInt8(ascii: ":") else { throw malformed("expected ':'") }
        position += 1
        object[key] = try readValue()
      } while try continues(before: UInt8(ascii: "}"))
    }
    depth -= 1
    return .object(object)
  }

  /// Whether a comma follows, and not the closing bracket.
  private mutating func continues(before end: UInt8) throws(JSONError) -> Bool {
    skipSpaces()
    guard let byte = next, byte == UInt8(ascii: ",") || byte == end else {
      throw malformed("expected ',' or '\(Unicode.Scalar(end))'")
    }
    position += 1
    return byte != end
  }
}
