import Foundation
import TestSupport
import Testing

@Suite struct PerplexityTests {
  /// The scripted model finds each byte as likely, 1 in 256, but newlines certain.
  private static let script = #"{"replies": [["x"]]}"#

  @Test func aUniformModelHasItsNumberOfChoices() throws {
    let binary = try BuiltBinary(script: Self.script)
    let outcome = try binary.run(
      "perplexity", "-", input: String(repeating: "a", count: 1100) + "\n")
    #expect(outcome.code == 0)
    #expect(outcome.outputText == "256.0000 ± 0.0000\n")
    #expect(outcome.errorText.contains("510 predictions in 2 chunks of 512 tokens"))
  }

  @Test func jsonHasAllFigures() throws {
    let binary = try BuiltBinary(script: Self.script)
    let file = binary.home + "/text"
    // Of 16 tokens those at 9, 11, 13 and 15 are certain, of 7 that are predicted.
    try Data(String(repeating: "a\n", count: 20).utf8).write(to: URL(filePath: file))
    let outcome = try binary.run("perplexity", file, "-c", "16", "--json")
    #expect(outcome.code == 0, "\(outcome.errorText)")
    let json = try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any]
    #expect(json?["chunks"] as? Int == 2)
    #expect(json?["chunk_tokens"] as? Int == 16)
    #expect(json?["predictions"] as? Int == 14)
    #expect(json?["tokens"] as? Int == 39)
    #expect(json?["file"] as? String == file)
    let value = try #require(json?["perplexity"] as? Double)
    #expect(abs(value - pow(256, 3.0 / 7)) < 1e-9)
    #expect(try #require(json?["standard_error"] as? Double) > 0)
  }

  @Test func whatCannotBeMeasuredIsRefused() throws {
    let binary = try BuiltBinary(script: Self.script)
    let short = try binary.run("perplexity", "-", input: "a few words")
    #expect(short.code == 2)
    #expect(short.errorText.contains("11 tokens"))
    let none = try binary.run("perplexity")
    #expect(none.code == 2)
    #expect(none.errorText.contains("needs a FILE of text"))
    #expect(try binary.run("perplexity", "/no/such/file").code == 1)
    try binary.install("tiny")
    for model in ["tiny", binary.home + "/models/tiny"] {
      let forgotten = try binary.run("perplexity", model)
      #expect(forgotten.code == 2)
      #expect(
        forgotten.errorText.contains("needs a FILE of text after the model '\(model.prefix(60))"))
    }
    let binaryFile = try binary.run(["perplexity", "-"], input: Data([0x61, 0xFF]))
    #expect(binaryFile.code == 2)
    #expect(binaryFile.errorText.contains("byte 1 is invalid"))
    #expect(try binary.run("perplexity", "-", "-c", "2", input: "text").code == 2)
  }

  /// llama.cpp's tool gives 18.39 for the same file and text.
  @Test(.enabled(if: TestModels.slow && TestModels.smolLM2 != nil))
  func smolLM2OnTheGPLIsAsWithLlamaCpp() throws {
    let model = try #require(TestModels.smolLM2)
    let outcome = try BuiltBinary().run(
      "perplexity", model, "/usr/share/common-licenses/GPL-3", "--json")
    let json = try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any]
    let value = try #require(json?["perplexity"] as? Double)
    #expect(abs(value / 18.39 - 1) < 0.005)
  }
}
