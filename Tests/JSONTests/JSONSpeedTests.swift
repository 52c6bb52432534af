import JSON
import TestSupport
import Testing

/// A tokenizer.json the size of Qwen's is read in a moment.
@Suite struct JSONSpeedTests {
  @Test(.enabled(if: TestModels.slow)) func aLargeTokenizer() throws {
    var text = "{\"model\": {\"type\": \"BPE\", \"vocab\": {"
    let pieces = (0..<151_000).map { "Ġp\(String($0, radix: 26))" }
    text += pieces.enumerated().map { "\"\($1)\": \($0)" }.joined(separator: ",\n      ")
    text += "}, \"merges\": ["
    text += pieces.dropLast().map { "[\n        \"\($0)\",\n        \"er\"\n      ]" }
      .joined(separator: ",\n      ")
    text += "]}}"
    let bytes = Array(text.utf8)
    var value = JSONValue.null
    let seconds = try ThreadTime.measure { value = try JSONReader.read(bytes) }
    print("\(bytes.count) bytes of JSON in \(seconds) s")
    #expect(value["model"]?["vocab"]?.objectValue?.count == 151_000)
    #expect(seconds < 1)
  }
}
