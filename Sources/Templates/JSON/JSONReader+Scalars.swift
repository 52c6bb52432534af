extension JSONReader {
  mutating func readNumber() throws(JSONError) -> TemplateValue {
    let start = position
    var isInteger = true
    if next == UInt8(ascii: "-") { position += 1 }
    if next == UInt8(ascii: "0") {
      position += 1
    } else {
      try skipDigits()
    }
    if next == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      try skipDigits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      isInteger = false
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      try skipDigits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, let value = Int(text) { return .int(value) }
    guard let value = Double(text) else { throw malformed("'\(text)' is no number") }
    return .double(value)
  }

  private mutating func skipDigits() throws(JSONError) {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    guard position > start else { throw malformed("a digit is missing") }
  }

  mutating func readString() throws(JSONError) -> String {
    position += 1
    var content: [UInt8] = []
    var hasEscape = false
    let start = position
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        if !hasEscape { content = Array(bytes[start..<position]) }
        guard let text = String(validating: content, as: UTF8.self) else {
          throw malformed("a string is not UTF-8")
        }
        position += 1
        return text
      case UInt8(ascii: "\\"):
        if !hasEscape { content = Array(bytes[start..<position]) }
        hasEscape = true
        position += 1
        try readEscape(into: &content)
      case 0..<0x20:
        throw malformed("a string contains a control character")
      default:
        if hasEscape { content.append(byte) }
        position += 1
      }
    }
    throw malformed("a string is not closed")
  }

  private mutating func readEscape(into content: inout [UInt8]) throws(JSONError) {
    guard let kind = next else { throw malformed("a string is not closed") }
    position += 1
    switch kind {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(kind)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "u"):
      content.append(contentsOf: String(try readEscapedScalar()).utf8)
    default: throw malformed("an unknown escape")
    }
  }

  /// The scalar of `\uXXXX`, a surrogate pair taken together; a lone surrogate is U+FFFD.
  private mutating func readEscapedScalar() throws(JSONError) -> Unicode.Scalar {
    let first = try readHexadecimal()
    if let scalar = Unicode.Scalar(first) { return scalar }
    let isHigh = first < 0xDC00
    let follows =
      position + 1 < bytes.count && bytes[position] == UInt8(ascii: "\\")
      && bytes[position + 1] == UInt8(ascii: "u")
    guard isHigh, follows else { return "\u{FFFD}" }
    let resumption = position
    position += 2
    let second = try readHexadecimal()
    guard (0xDC00...0xDFFF).contains(second) else {
      position = resumption
      return "\u{FFFD}"
    }
    let number = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)
    return Unicode.Scalar(number) ?? "\u{FFFD}"
  }

  private mutating func readHexadecimal() throws(JSONError) -> UInt32 {
    var number: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Unicode.Scalar(byte).hexDigitValue else {
        throw malformed("an escape needs 4 hexadecimal digits")
      }
      number = number << 4 | digit
      position += 1
    }
    return number
  }
}

extension TemplateValue {
  /// The value of a JSON text; keys keep their order, of equal ones the last counts, and numbers
  /// without point and exponent are integers as far as they fit into 64 bits.
  ///
  /// Nesting is bounded by `maximumDepth`.
  package init(json: some Sequence<UInt8>, maximumDepth: Int = 100) throws(JSONError) {
    var reader = JSONReader(Array(json), maximumDepth: maximumDepth)
    self = try reader.readDocument()
  }

  package init(json: String, maximumDepth: Int = 100) throws(JSONError) {
    try self.init(json: json.utf8, maximumDepth: maximumDepth)
  }
}
