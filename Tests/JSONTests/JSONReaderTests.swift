import JSON
import Testing

@Suite struct JSONReaderTests {
  private func read(_ text: String) throws(JSONError) -> JSONValue {
    try JSONReader.read(Array(text.utf8))
  }

  @Test(
    arguments: [
      ("null", .null), (" true ", .bool(true)), ("false", .bool(false)), ("0", .integer(0)),
      ("-0", .integer(0)), ("42", .integer(42)), ("-7", .integer(-7)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .large(1 << 63)), ("18446744073709551615", .large(.max)),
      ("18446744073709551616", .number(0x1p64)), ("-9223372036854775809", .number(-0x1p63)),
      ("1000000000000000019884624838656", .number(1e30)),
      ("1.5", .number(1.5)), ("1e-05", .number(1e-5)), ("-2.5E+3", .number(-2500)),
      ("\"\"", .string("")), ("\"aö🏠\"", .string("aö🏠")),
      (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")),
      (#""\u0120\u00e9\uD83D\uDE00x""#, .string("Ġé😀x")),
      ("[]", .array([])), ("[ 1 , [2] ]", .array([.integer(1), .array([.integer(2)])])),
      ("\u{FEFF}1", .integer(1)),
    ] as [(String, JSONValue)])
  func reads(_ text: String, _ value: JSONValue) throws {
    #expect(try read(text) == value)
  }

  @Test(
    arguments: [
      ("", 0, .unexpectedEnd), ("  ", 2, .unexpectedEnd), ("[1", 2, .unexpectedEnd),
      ("[1,]", 3, .unexpected(0x5D)), ("[,1]", 1, .unexpected(0x2C)),
      ("{\"a\":1,}", 7, .unexpected(0x7D)), ("{a:1}", 1, .unexpected(0x61)),
      ("{\"a\" 1}", 5, .unexpected(0x31)), ("tru", 3, .unexpectedEnd),
      ("nulL", 3, .unexpected(0x4C)), ("1 2", 2, .trailingText), ("01", 0, .badNumber),
      ("-", 0, .badNumber), ("1.", 0, .badNumber), (".5", 0, .unexpected(0x2E)),
      ("+1", 0, .unexpected(0x2B)), ("1e", 0, .badNumber), ("1e999", 0, .badNumber),
      ("NaN", 0, .unexpected(0x4E)), ("'a'", 0, .unexpected(0x27)),
      ("\"a", 2, .unexpectedEnd), ("\"a\u{1}\"", 2, .controlCharacter),
      (#""\x""#, 1, .badEscape), (#""\u12G4""#, 1, .badEscape), (#""\ud83d""#, 1, .badEscape),
      (#""\ud83dA""#, 1, .badEscape), (#""\ude00""#, 1, .badEscape), (#""\u12"#, 5, .unexpectedEnd),
      ("{\"a\":1,\"a\":2}", 0, .duplicateKey("a")),
      ("/* */ 1", 0, .unexpected(0x2F)),
    ] as [(String, Int, JSONError.Reason)])
  func refuses(_ text: String, _ offset: Int, _ reason: JSONError.Reason) {
    #expect(throws: JSONError(offset: offset, reason: reason)) { try read(text) }
  }

  @Test func textThatIsNotUTF8IsRefused() {
    #expect(throws: JSONError(offset: 1, reason: .notUTF8)) {
      try JSONReader.read([0x22, 0xC3, 0x28, 0x22])
    }
    #expect(throws: JSONError(offset: 3, reason: .notUTF8)) {
      try JSONReader.read([0x22, 0x5C, 0x6E, 0xFF, 0x22])
    }
  }

  @Test func nestingIsBounded() throws {
    let deepest = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
    #expect(throws: Never.self) { try read(deepest) }
    let tooDeep = String(repeating: "[", count: 100_000)
    #expect(throws: JSONError(offset: 128, reason: .nestedTooDeeply(limit: 128))) {
      try read(tooDeep)
    }
    let objects = String(repeating: "{\"a\":", count: 100_000)
    #expect(throws: JSONError.self) { try read(objects) }
  }

  @Test func objectsKeepTheirOrder() throws {
    let keys = (0..<100).map { "k\($0 * 37 % 100)" }
    let text = "{" + keys.map { "\"\($0)\":\"\($0)\"" }.joined(separator: ",") + "}"
    let object = try #require(try read(text).objectValue)
    #expect(object.keys == keys)
    for key in keys { #expect(object[key] == .string(key)) }
    #expect(object["k100"] == nil)
    #expect(object.map(\.0) == keys)
  }

  /// Two tokens that look the same are two keys: Swift's String would make them one.
  @Test(arguments: [0, 20]) func keysAreToldApartByTheirBytes(others: Int) throws {
    let rest = (0..<others).map { ",\"k\($0)\":0" }.joined()
    let object = try #require(
      try read("{\"\u{E9}\":1,\"e\u{301}\":2\(rest)}").objectValue)
    #expect(object.count == 2 + others)
    #expect(object["\u{E9}"] == .integer(1))
    #expect(object["e\u{301}"] == .integer(2))
  }

  @Test func duplicatesInLargeObjectsAreRefused() {
    let members = (0..<50).map { "\"k\($0)\":0" } + ["\"k7\":1"]
    #expect(throws: JSONError(offset: 0, reason: .duplicateKey("k7"))) {
      try read("{\(members.joined(separator: ","))}")
    }
  }

  @Test func lenientReadingTakesWhatPythonTakes() throws {
    let value = try JSONReader.read(
      Array(#"{"b": 1, "a": "\ud83dx", "b": 2}"#.utf8), form: .lenient)
    #expect(value == ["b": 2, "a": "\u{FFFD}x"])
  }

  /// A text full of equal keys must not take the square of their number.
  @Test func equalKeysAreReadInLinearTime() throws {
    let text = "{" + String(repeating: "\"k\":0,", count: 200_000) + "\"k\":1}"
    #expect(try JSONReader.read(Array(text.utf8), form: .lenient) == ["k": 1])
  }

  @Test func valuesOfATreeAreCounted() throws {
    let bytes = Array("[1,[2,3],{\"a\":4}]".utf8)
    #expect(throws: Never.self) { try JSONReader.read(bytes, valueLimit: 7) }
    #expect(throws: JSONError(offset: 14, reason: .tooManyValues)) {
      try JSONReader.read(bytes, valueLimit: 6)
    }
  }

  @Test func valuesOfAnySizeArePassedOver() throws {
    var cursor = JSONCursor(Array(#"{"a": [1, {"b": "\"]"}], "c": 7}"#.utf8))
    var seen: [String] = []
    try cursor.readObject { cursor, key in
      seen.append(key)
      if key == "c" { #expect(try cursor.readInteger() == 7) } else { try cursor.skipValue() }
    }
    try cursor.expectEnd()
    #expect(seen == ["a", "c"])
    for text in ["]", "[", "\"a", "[tru]", "[1"] {
      var cursor = JSONCursor(Array(text.utf8))
      #expect(throws: JSONError.self) { try cursor.skipValue() }
    }
  }

  @Test func nullIsAsGoodAsMissing() throws {
    let value = try read(#"{"a": null, "b": {"c": 2.0}}"#)
    #expect(value["a"] == nil)
    #expect(value.objectValue?["a"] == .null)
    #expect(value["b"]?["c"]?.intValue == 2)
    #expect(value["b"]?["c"]?.doubleValue == 2)
    #expect(value["b"]?["d"] == nil)
  }
}
