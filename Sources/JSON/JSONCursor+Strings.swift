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

  /// Reads a string, which is the next value, onto the end of `output`; its bytes may be no UTF-8.
  ///
  /// `output` must have room for `remaining` bytes. A text is never longer than its escapes.
  package mutating func readString(into output: inout OutputSpan<UInt8>) throws(JSONError) {
    try expect(UInt8(ascii: "\""))
    while true {
      offset = appendPlainText(from: offset, to: &output)
      guard offset < bytes.count else { throw error(.unexpectedEnd) }
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        offset += 1
        return
      case UInt8(ascii: "\\"):
        for byte in String(try readEscape()).utf8 { output.append(byte) }
      default: throw error(.controlCharacter)
      }
    }
  }

  /// Appends what `endOfPlainText` passes over, and returns that end.
  private func appendPlainText(from start: Int, to output: inout OutputSpan<UInt8>) -> Int {
    let span = bytes.span
    var offset = start
    while offset < span.count {
      let room = min(8, span.count - offset)
      let word = span.word(at: offset, room)
      let length = min(Self.plainLength(of: word), room)
      output.append(word, length)
      offset += length
      if length < 8 { break }
    }
    return offset
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
      let room = min(8, span.count - offset)
      let length = min(Self.plainLength(of: span.word(at: offset, room)), room)
      offset += length
      if length < 8 { break }
    }
    return offset
  }

  /// How many bytes of a word come before its first quotation mark, backslash or control character.
  @inline(__always)
  private static func plainLength(of word: UInt64) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    // The highest bit of a byte is set where the byte is 0, or less than 0x20. A borrow may set those of
    // bytes after that one, but not before.
    let quotes = word ^ (ones * 0x22)
    let backslashes = word ^ (ones * 0x5C)
    let found =
      ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
      | ((word &- ones * 0x20) & ~word)
    return (found & (ones * 0x80)).trailingZeroBitCount / 8
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
