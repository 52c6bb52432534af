/// Reads JSON from front to back: what is small as a tree, and the hundred thousand strings of a
/// vocabulary straight into one block.
struct JSONReader {
  private static let depthLimit = 64
  /// Values in trees.
  ///
  /// A tree takes more room than its text, and no file needs a big one.
  private static let treeLimit = 200_000

  private let bytes: [UInt8]
  private(set) var position = 0
  private var treeSize = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // A byte-order mark.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  func error(_ reason: String) -> TokenizerError {
    .invalidJSON(offset: position, reason: reason)
  }

  // MARK: Structure

  /// The next byte that is not white space, which stays.
  mutating func peek() throws(TokenizerError) -> UInt8 {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      case let byte: return byte
      }
    }
    throw error("it ends too soon")
  }

  /// Takes `byte` if it is next.
  mutating func take(_ byte: UInt8) throws(TokenizerError) -> Bool {
    guard try peek() == byte else { return false }
    position += 1
    return true
  }

  mutating func expect(_ byte: UInt8) throws(TokenizerError) {
    guard try take(byte) else {
      throw error("\(Unicode.Scalar(byte)) is expected and not found")
    }
  }

  /// Calls `body` with each key, to read the value.
  mutating func readObject(
    _ body: (inout JSONReader, String) throws(TokenizerError) -> Void
  ) throws(TokenizerError) {
    try expect(0x7B)
    if try take(0x7D) { return }
    repeat {
      let key = try readString()
      try expect(0x3A)
      try body(&self, key)
    } while try take(0x2C)
    try expect(0x7D)
  }

  /// Calls `body` to read each element.
  mutating func readArray(
    _ body: (inout JSONReader) throws(TokenizerError) -> Void
  ) throws(TokenizerError) {
    try expect(0x5B)
    if try take(0x5D) { return }
    repeat { try body(&self) } while try take(0x2C)
    try expect(0x5D)
  }

  /// Nothing but white space is left.
  mutating func expectEnd() throws(TokenizerError) {
    while position < bytes.count {
      guard [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) else {
        throw error("something follows the end")
      }
      position += 1
    }
  }

  // MARK: Strings

  mutating func readString() throws(TokenizerError) -> String {
    var strings = ByteStrings()
    try appendString(to: &strings)
    return strings.text(0)
  }

  /// Reads a string and appends it, as one.
  mutating func appendString(to strings: inout ByteStrings) throws(TokenizerError) {
    try expect(0x22)
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case 0x22:
        position += 1
        return strings.finish()
      case 0x5C:
        position += 1
        try appendEscape(to: &strings)
      case 0x00..<0x20:
        throw error("a control character is inside a string")
      default:
        let start = position
        while position < bytes.count, isPlain(bytes[position]) { position += 1 }
        strings.extend(bytes[start..<position])
      }
    }
    throw error("a string does not end")
  }

  /// Not a quote, a backslash or a control character.
  private func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x22 && byte != 0x5C
  }

  private mutating func appendEscape(to strings: inout ByteStrings) throws(TokenizerError) {
    guard position < bytes.count else { throw error("a string does not end") }
    let escape = bytes[position]
    position += 1
    switch escape {
    case 0x22, 0x2F, 0x5C: strings.extend(escape)
    case 0x62: strings.extend(0x08)
    case 0x66: strings.extend(0x0C)
    case 0x6E: strings.extend(0x0A)
    case 0x72: strings.extend(0x0D)
    case 0x74: strings.extend(0x09)
    case 0x75:
      let first = try readHexadecimal()
      var value = UInt32(first)
      if (0xD800..<0xDC00).contains(first), position + 1 < bytes.count,
        bytes[position] == 0x5C, bytes[position + 1] == 0x75
      {
        position += 2
        let second = try readHexadecimal()
        guard (0xDC00..<0xE000).contains(second) else { throw error("half a character") }
        value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar) else {
        throw error("half a character")
      }
      for byte in encoded { strings.extend(byte) }
    default:
      throw error("an unknown escape")
    }
  }

  private mutating func readHexadecimal() throws(TokenizerError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard position < bytes.count,
        let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue
      else { throw error("four hexadecimal digits are expected and not found") }
      value = value << 4 | UInt16(digit)
      position += 1
    }
    return value
  }

  // MARK: Values

  mutating func readInteger() throws(TokenizerError) -> Int {
    let isNegative = try take(0x2D)
    var value = 0
    let start = position
    while position < bytes.count, (0x30...0x39).contains(bytes[position]) {
      guard position - start < 15 else { throw error("a number is too large") }
      value = value * 10 + Int(bytes[position] - 0x30)
      position += 1
    }
    guard position > start else { throw error("an integer is expected and not found") }
    return isNegative ? -value : value
  }

  mutating func readValue() throws(TokenizerError) -> JSONValue {
    try readValue(depth: 0)
  }

  private mutating func readValue(depth: Int) throws(TokenizerError) -> JSONValue {
    treeSize += 1
    guard depth < Self.depthLimit, treeSize < Self.treeLimit else {
      throw error("it is nested too deeply or too large")
    }
    switch try peek() {
    case 0x7B:
      var members: [(key: String, value: JSONValue)] = []
      try readObject { reader, key throws(TokenizerError) in
        members.append((key, try reader.readValue(depth: depth + 1)))
      }
      return .object(members)
    case 0x5B:
      var elements: [JSONValue] = []
      try readArray { reader throws(TokenizerError) in
        elements.append(try reader.readValue(depth: depth + 1))
      }
      return .array(elements)
    case 0x22: return .string(try readString())
    case 0x74: return try readWord("true", .bool(true))
    case 0x66: return try readWord("false", .bool(false))
    case 0x6E: return try readWord("null", .null)
    default: return try readNumber()
    }
  }

  private mutating func readWord(
    _ word: String, _ value: JSONValue
  ) throws(TokenizerError) -> JSONValue {
    guard bytes[position...].starts(with: word.utf8) else { throw error("an unknown word") }
    position += word.utf8.count
    return value
  }

  private mutating func readNumber() throws(TokenizerError) -> JSONValue {
    let start = position
    while position < bytes.count, position - start < 40, isNumber(bytes[position]) {
      position += 1
    }
    guard let number = Double(String(decoding: bytes[start..<position], as: UTF8.self)),
      number.isFinite
    else {
      position = start
      throw error("a value is expected and not found")
    }
    return .number(number)
  }

  private func isNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x45, 0x65: true
    default: false
    }
  }

  /// Passes over a value of any size.
  mutating func skipValue() throws(TokenizerError) {
    var depth = 0
    repeat {
      switch try peek() {
      case 0x7B, 0x5B: depth += 1; position += 1
      case 0x7D, 0x5D: depth -= 1; position += 1
      case 0x2C,
        0x3A where depth > 0:
        position += 1
      case 0x22: try skipString()
      case 0x74: _ = try readWord("true", .null)
      case 0x66: _ = try readWord("false", .null)
      case 0x6E: _ = try readWord("null", .null)
      default: _ = try readNumber()
      }
    } while depth > 0
    guard depth == 0 else { throw error("a bracket is closed that was not opened") }
  }

  private mutating func skipString() throws(TokenizerError) {
    position += 1
    while position < bytes.count {
      switch bytes[position] {
      case 0x22:
        position += 1
        return
      case 0x5C: position += 2
      default: position += 1
      }
    }
    throw error("a string does not end")
  }
}
