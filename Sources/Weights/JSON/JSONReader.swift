/// A strict JSON reader: RFC 8259 and nothing else, apart from a byte order mark at the start.
///
/// Nesting is bounded, duplicate keys and lone surrogates are refused, and every error has the byte
/// at which it was found.
package struct JSONReader {
  private let bytes: FileBytes
  private let end: Int
  private var offset = 0
  private var depth = 0

  /// How deep arrays and objects may nest.
  package static let depthLimit = 128

  private init(_ bytes: FileBytes) {
    self.bytes = bytes
    end = bytes.count
  }

  /// The one value that `bytes` hold.
  package static func read(_ bytes: FileBytes) throws(JSONError) -> JSONValue {
    var reader = JSONReader(bytes)
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
      reader.offset = 3
    }
    reader.skipSpace()
    let value = try reader.readValue()
    reader.skipSpace()
    guard reader.offset == reader.end else { throw reader.error(.trailingText) }
    return value
  }

  /// The one value that `bytes` hold.
  package static func read(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
    try read(MappedFile(copying: bytes).bytes)
  }

  /// The one value that a file holds.
  package static func read(path: String) throws(WeightsError) -> JSONValue {
    let file = try MappedFile(path: path)
    do {
      return try read(file.bytes)
    } catch {
      throw .invalid(file: path, .json(error))
    }
  }

  private func error(_ reason: JSONError.Reason) -> JSONError {
    JSONError(offset: offset, reason: reason)
  }

  /// The error for what stands here.
  private func unexpected() -> JSONError {
    offset < end ? error(.unexpected(bytes[offset])) : error(.unexpectedEnd)
  }

  private mutating func skipSpace() {
    while offset < end {
      switch bytes[offset] {
      case 0x20, 0x0A, 0x0D, 0x09: offset += 1
      default: return
      }
    }
  }

  private mutating func readValue() throws(JSONError) -> JSONValue {
    guard offset < end else { throw error(.unexpectedEnd) }
    switch bytes[offset] {
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "{"): return try readObject()
    case UInt8(ascii: "["): return try readArray()
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
      guard offset < end, bytes[offset] == byte else { throw unexpected() }
      offset += 1
    }
    return value
  }

  private mutating func descend() throws(JSONError) {
    guard depth < Self.depthLimit else {
      throw error(.nestedTooDeeply(limit: Self.depthLimit))
    }
    depth += 1
    offset += 1
    skipSpace()
  }

  /// Passes a comma, or the closing byte: true means that another element follows.
  private mutating func continues(closing: UInt8) throws(JSONError) -> Bool {
    skipSpace()
    guard offset < end else { throw error(.unexpectedEnd) }
    if bytes[offset] == closing {
      offset += 1
      depth -= 1
      return false
    }
    guard bytes[offset] == UInt8(ascii: ",") else { throw unexpected() }
    offset += 1
    skipSpace()
    return true
  }

  private mutating func readArray() throws(JSONError) -> JSONValue {
    try descend()
    if offset < end, bytes[offset] == UInt8(ascii: "]") {
      offset += 1
      depth -= 1
      return .array([])
    }
    var elements: [JSONValue] = []
    repeat {
      elements.append(try readValue())
    } while try continues(closing: UInt8(ascii: "]"))
    return .array(elements)
  }

  private mutating func readObject() throws(JSONError) -> JSONValue {
    let start = offset
    try descend()
    var keys: [String] = []
    var values: [JSONValue] = []
    if offset < end, bytes[offset] == UInt8(ascii: "}") {
      offset += 1
      depth -= 1
    } else {
      repeat {
        guard offset < end, bytes[offset] == UInt8(ascii: "\"") else { throw unexpected() }
        keys.append(try readString())
        skipSpace()
        guard offset < end, bytes[offset] == UInt8(ascii: ":") else { throw unexpected() }
        offset += 1
        skipSpace()
        values.append(try readValue())
      } while try continues(closing: UInt8(ascii: "}"))
    }
    switch JSONObject.make(keys: keys, values: values) {
    case .success(let object): return .object(object)
    case .failure(let duplicate):
      throw JSONError(offset: start, reason: .duplicateKey(keys[duplicate.position]))
    }
  }

  // MARK: Numbers

  private mutating func readNumber() throws(JSONError) -> JSONValue {
    let start = offset
    if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
    let firstDigit = offset
    let digits = skipDigits()
    guard digits > 0, digits == 1 || bytes[firstDigit] != UInt8(ascii: "0") else {
      throw JSONError(offset: start, reason: .badNumber)
    }
    var isInteger = true
    if offset < end, bytes[offset] == UInt8(ascii: ".") {
      isInteger = false
      offset += 1
      guard skipDigits() > 0 else { throw JSONError(offset: start, reason: .badNumber) }
    }
    if offset < end, bytes[offset] | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      offset += 1
      if offset < end, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") {
        offset += 1
      }
      guard skipDigits() > 0 else { throw JSONError(offset: start, reason: .badNumber) }
    }
    if isInteger, let value = integer(start..<offset) { return .integer(value) }
    guard let text = bytes.text(start..<offset), let value = Double(text), value.isFinite else {
      throw JSONError(offset: start, reason: .badNumber)
    }
    return .number(value)
  }

  private mutating func skipDigits() -> Int {
    let start = offset
    while offset < end, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[offset]) {
      offset += 1
    }
    return offset - start
  }

  private func integer(_ range: Range<Int>) -> Int? {
    var range = range
    let isNegative = bytes[range.lowerBound] == UInt8(ascii: "-")
    if isNegative { range = range.dropFirst() }
    var value = 0
    for index in range {
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.subtractingReportingOverflow(Int(bytes[index]) - 0x30)
      guard !overflow, !carry else { return nil }
      value = sum
    }
    // Digits were subtracted, since the least Int has no positive counterpart.
    return isNegative ? value : (value == .min ? nil : -value)
  }

  // MARK: Strings

  private mutating func readString() throws(JSONError) -> String {
    let start = offset + 1
    offset = endOfPlainText(from: start)
    guard offset < end else { throw error(.unexpectedEnd) }
    guard bytes[offset] == UInt8(ascii: "\"") else { return try readEscapedString(from: start) }
    guard let text = bytes.text(start..<offset) else {
      throw JSONError(offset: start, reason: .notUTF8)
    }
    offset += 1
    return text
  }

  /// Reads on from the first escape of a string that starts at `start`.
  private mutating func readEscapedString(from start: Int) throws(JSONError) -> String {
    var text = ""
    var plainStart = start
    while true {
      guard let plain = bytes.text(plainStart..<offset) else {
        throw JSONError(offset: plainStart, reason: .notUTF8)
      }
      text += plain
      guard offset < end else { throw error(.unexpectedEnd) }
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        offset += 1
        return text
      case UInt8(ascii: "\\"): text.unicodeScalars.append(try readEscape())
      default: throw error(.controlCharacter)
      }
      plainStart = offset
      offset = endOfPlainText(from: offset)
    }
  }

  /// The first byte from `start` on that is a quotation mark, a backslash or a control character.
  private func endOfPlainText(from start: Int) -> Int {
    var offset = start
    while offset < end {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
      offset += 1
    }
    return offset
  }

  private mutating func readEscape() throws(JSONError) -> UnicodeScalar {
    let start = offset
    offset += 1
    guard offset < end else { throw error(.unexpectedEnd) }
    let byte = bytes[offset]
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UnicodeScalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw JSONError(offset: start, reason: .badEscape)
    }
    var code = try readHexadecimal(escape: start)
    if (0xD800..<0xDC00).contains(code), offset + 1 < end, bytes[offset] == UInt8(ascii: "\\"),
      bytes[offset + 1] == UInt8(ascii: "u")
    {
      offset += 2
      let low = try readHexadecimal(escape: start)
      guard (0xDC00..<0xE000).contains(low) else {
        throw JSONError(offset: start, reason: .badEscape)
      }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = UnicodeScalar(code) else {
      throw JSONError(offset: start, reason: .badEscape)
    }
    return scalar
  }

  private mutating func readHexadecimal(escape start: Int) throws(JSONError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard offset < end else { throw error(.unexpectedEnd) }
      let digit: UInt8
      switch bytes[offset] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = bytes[offset] - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = bytes[offset] - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = bytes[offset] - UInt8(ascii: "A") + 10
      default: throw JSONError(offset: start, reason: .badEscape)
      }
      code = code << 4 | UInt32(digit)
      offset += 1
    }
    return code
  }
}
