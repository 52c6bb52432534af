import JSON
import Testing

/// Strings are read eight bytes at a time: whatever ends them may stand at any place of a word.
@Suite struct JSONStringTests {
  private static func bytes(of text: [UInt8]) throws -> (bytes: [UInt8], end: Int) {
    var cursor = JSONCursor(text)
    let bytes = try [UInt8](capacity: text.count) { output in
      try cursor.readString(into: &output)
    }
    return (bytes, cursor.offset)
  }

  /// Bytes next to those that a string may not hold, and those that a carry or borrow would reach.
  private static let plain: [UInt8] = [0x20, 0x21, 0x23, 0x5B, 0x5D, 0x7F, 0x80, 0xA2, 0xDC, 0xFF]

  @Test(arguments: 0...20)
  func endsAtTheFirstQuotationMark(length: Int) throws {
    for byte in Self.plain {
      let content = [UInt8](repeating: byte, count: length)
      for rest in [[], [0x22], [0x23, 0x21, 0x5D], Array(",\"merges\":[".utf8)] as [[UInt8]] {
        let read = try Self.bytes(of: [0x22] + content + [0x22] + rest)
        #expect(read.bytes == content)
        #expect(read.end == length + 2)
        var cursor = JSONCursor([0x22] + content + [0x22] + rest)
        try cursor.skipValue()
        #expect(cursor.offset == length + 2)
      }
    }
  }

  @Test(arguments: 0...20)
  func escapesMayStandAnywhere(place: Int) throws {
    for after in 0...9 {
      let (before, after) = (
        String(repeating: "x", count: place), String(repeating: "y", count: after)
      )
      for (escape, meaning) in [
        (#"\n"#, "\n"), (#"\""#, "\""), (#"\\"#, "\\"), (#"\u0120"#, "Ġ"), (#"\ud83d\ude00"#, "😀"),
      ] {
        let text = Array("\"\(before)\(escape)\(escape)\(after)\"".utf8)
        let read = try Self.bytes(of: text)
        #expect(read.bytes == Array("\(before)\(meaning)\(meaning)\(after)".utf8))
        #expect(read.end == text.count)
        var cursor = JSONCursor(text)
        let string = try cursor.readString()
        #expect(Array(string.utf8) == read.bytes)
      }
    }
  }

  @Test(arguments: 0...20)
  func controlCharactersAndTheEndAreFoundWhereTheyStand(place: Int) {
    let before = [0x22] + [UInt8](repeating: 0x61, count: place)
    for control in [0, 1, 0x1F] as [UInt8] {
      #expect(throws: JSONError(offset: place + 1, reason: .controlCharacter)) {
        try Self.bytes(of: before + [control, 0x62, 0x22])
      }
    }
    #expect(throws: JSONError(offset: place + 1, reason: .unexpectedEnd)) {
      try Self.bytes(of: before)
    }
  }

  @Test(arguments: [
    ("0", 0), ("7,", 7), ("123456789012345678]", 123_456_789_012_345_678),
    ("1234567890123456789,", 1_234_567_890_123_456_789), ("-5,", -5), ("9223372036854775807", .max),
  ])
  func integersOfAnyLengthAreRead(text: String, value: Int) throws {
    var cursor = JSONCursor(Array(text.utf8))
    #expect(try cursor.readInteger() == value)
    #expect(cursor.remaining == (text.last.map { ",]".contains($0) } == true ? 1 : 0))
  }

  @Test(arguments: ["01,", "00", "1.5,", "1.0,", "1e2,", "1E2,", "99999999999999999999,", "1.,"])
  func otherNumbersAreNoIntegers(text: String) {
    #expect(throws: JSONError(offset: 0, reason: .badNumber)) {
      var cursor = JSONCursor(Array(text.utf8))
      _ = try cursor.readInteger()
    }
  }
}
