import JSON
import Testing

@Suite struct JSONTextTests {
  @Test(
    arguments: [
      (.null, "null"), (true, "true"), (-7, "-7"), (.large(.max), "18446744073709551615"),
      (0.1, "0.1"), (2.0, "2"), (1e300, "1e+300"), (.number(.nan), "null"),
      (.number(-.infinity), "null"), ("", "\"\""), ("é\u{1F600}", "\"é\u{1F600}\""),
      ("\"\\\n\r\t\u{1B}\u{9B}", #""\"\\\n\r\t\u001b\u009b""#),
      ([], "[]"), ([1, ["a"]], "[1,[\"a\"]]"), ([:], "{}"),
      (["b": 1, "a": [:]], "{\"b\":1,\"a\":{}}"),
    ] as [(JSONValue, String)])
  func writesOneLine(_ value: JSONValue, _ text: String) {
    #expect(value.text == text)
  }

  @Test func indents() {
    let value: JSONValue = ["a": [1, 2], "b": ["c": "d"], "e": [["f"]], "g": [:]]
    #expect(
      value.indentedText == """
        {
          "a": [1,2],
          "b": {
            "c": "d"
          },
          "e": [
            [
              "f"
            ]
          ],
          "g": {}
        }
        """)
  }

  /// Numbers come back to the bit, and members in their order.
  @Test func readsBack() throws {
    let numbers: [Double] = [
      0.1, 1 / 3, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -0.25, 1e15, 123_456.789,
    ]
    let value: JSONValue = [
      "z": .array(numbers.map { .number($0) }), "a": .string("\u{0}\u{7F}\u{85}\u{2028}\u{10FFFF}"),
      "s": .unsigned(.max),
    ]
    let read = try JSONReader.read(Array(value.text.utf8))
    #expect(read.objectValue?.keys == ["z", "a", "s"])
    #expect(read["z"]?.arrayValue?.map(\.doubleValue) == numbers)
    #expect(read["a"] == value["a"])
    #expect(read["s"]?.unsignedValue == .max)
    #expect(try JSONReader.read(Array(value.indentedText.utf8)) == read)
  }

  @Test func membersAreSetAndRemoved() {
    var object = JSONObject([("a", 1), ("b", 2), ("a", 3)])
    #expect(object == JSONObject([("a", 3), ("b", 2)]))
    object["c"] = 4
    object["a"] = nil
    object["b"] = 5
    object["d"] = nil
    #expect(JSONValue.object(object).text == "{\"b\":5,\"c\":4}")
  }
}
