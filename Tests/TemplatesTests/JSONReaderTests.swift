import JSON
import Testing

import Templates

@Suite struct JSONReaderTests {
  @Test func keepsOrderAndNumbers() throws {
    let value = try TemplateValue(
      json: #"{"b": 1, "a": [1.0, -2e3, null, true], "b": 2, "é": "x"}"#)
    guard case .object(let object) = value else {
      Issue.record("no object")
      return
    }
    #expect(object.keys == ["b", "a", "é"])
    #expect(object["b"] == .int(2))
    let template = try ChatTemplate(source: "{{ v.a }}")
    #expect(try template.render(["v": value]) == "[1.0, -2000.0, None, True]")
  }

  /// Equal in Swift, different in JSON and in Python.
  @Test func tellsEquivalentKeysApart() throws {
    let value = try TemplateValue(json: "{\"\u{E9}\": 1, \"e\u{301}\": 2}")
    guard case .object(let object) = value else {
      Issue.record("no object")
      return
    }
    #expect(object.count == 2)
    #expect(object["\u{E9}"] == .int(1))
  }

  @Test(arguments: [
    #""\u00e9\ud83d\ude00\/\b\f\n\r\t\"\\""#: "é😀/\u{08}\u{0C}\n\r\t\"\\",
    #""\ud83dx""#: "\u{FFFD}x",
    #""\udc00""#: "\u{FFFD}", #""\ud83d\ud83d""#: "\u{FFFD}\u{FFFD}",
  ]) func readsEscapes(_ json: String, _ expected: String) throws {
    #expect(try TemplateValue(json: json) == .string(expected))
  }

  @Test(arguments: [
    "", "{", "[1,]", "{\"a\":}", "{a:1}", "01", "1.", "-", "+1", "nul", "\"a", "\"\u{01}\"",
    "[1] 2",
    "\"\\x\"", "\"\\u12\"", "{\"a\" 1}", "'a'", ".5", "1e", "NaN", "[1 2]",
  ]) func refuses(_ json: String) {
    #expect(throws: JSONError.self) { try TemplateValue(json: json) }
  }

  @Test func boundsDepth() throws {
    let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
    _ = try TemplateValue(json: deep)
    #expect(throws: JSONError.self) { try TemplateValue(json: "[\(deep)]") }
    #expect(throws: JSONError.self) {
      try TemplateValue(json: String(repeating: "[", count: 1_000_000))
    }
  }

  @Test func refusesWhatIsNotUTF8() {
    #expect(throws: JSONError.self) { try TemplateValue(json: [0x22, 0xFF, 0x22] as [UInt8]) }
  }
}
