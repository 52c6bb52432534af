extension JSONCursor {
  /// The next value, which is a string.
  package mutating func readString() throws(JSONError) -> String {
    var text = ""
    let bytes = bytes
    try readString { part throws(JSONError) in
      switch part {
      case .plain(let range):
        guard let plain = Self.text(bytes.span.extracting(range)) else {
          throw JSONError(offset: range.lowerBound, reason: .notUTF8)
        }
        if text.isEmpty { text = plain } else { text += plain }
      case .escaped(let scalar): text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// A part of a string.
  package enum StringPart {
    /// Bytes of the text as they stand; they may be no UTF-8.
    case plain(Range<Int>)
    case escaped(Unicode.Scalar)
  }

  /// The next value, which is a string, part by part.
  package mutating func readString(
    _ body: (StringPart) throws(JSONError) -> Void
  ) throws(JSONError) {
    try expect(UInt8(ascii: "\""))
    while true {
      let start = offset
      offset = endOfPlainText(from: start)
      if offset > start { try body(.plain(start..<offset)) }
      guard offset < bytes.count else { throw error(.unexpectedEnd) }
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        offset += 1
        return
      case UInt8(ascii: "\\"): try body(.escaped(try readEscape()))
      default: throw error(.controlCharacter)
      }
    }
  }

  /// Passes over a string.
  mutating func skipString() throws(JSONError) {
    offset += 1
    while true {
      offset = endOfPlainText(from: offset)
      guard offset < bytes.count else { throw error(.unexpectedEnd) }
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        offset += 1
        return
      case UInt8(ascii: "\\"): offset = min(offset + 2, bytes.count)
      default: throw error(.controlCharacter)
      }
    }
  }

  /// UTF-8 as text, or nil.
  private static func text(_ bytes: Span<UInt8>) -> String? {
    // Twice as fast as String(validating:), and a vocabulary is 300,000 texts.
    guard let text = try? UTF8Span(validating: bytes) else { return nil }
    return String(copying: text)
  }

  /// The first byte from `start` on that is a quotation mark, a backslash or a control character.
  private func endOfPlainText(from start: Int) -> Int {
    let span = bytes.span
    var offset = start
    while offset < span.count {
      let byte = span[offset]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
      offset += 1
    }
    return offset
  }

  private mutating func readEscape() throws(JSONError) -> Unicode.Scalar {
    let start = offset
    offset += 1
    guard offset < bytes.count else { throw error(.unexpectedEnd) }
    let byte = bytes[offset]
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try readUnicodeEscape(at: start)
    default: throw JSONError(offset: start, reason: .badEscape)
    }
  }

  private mutating func readUnicodeEscape(at start: Int) throws(JSONError) -> Unicode.Scalar {
    let first = try readHexadecimal(escape: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    let resumption = offset
    if first < 0xDC00, isNext(UInt8(ascii: "\\")), offset + 1 < bytes.count,
      bytes[offset + 1] == UInt8(ascii: "u")
    {
      offset += 2
      let low = try readHexadecimal(escape: start)
      if (0xDC00..<0xE000).contains(low),
        let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (low - 0xDC00))
      {
        return scalar
      }
      offset = resumption
    }
    guard form == .lenient else { throw JSONError(offset: start, reason: .badEscape) }
    return "\u{FFFD}"
  }

  private mutating func readHexadecimal(escape start: Int) throws(JSONError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard offset < bytes.count else { throw error(.unexpectedEnd) }
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
