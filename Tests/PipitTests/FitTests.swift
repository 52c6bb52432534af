import Foundation
import TestSupport
import Testing

@Suite struct FitTests {
  private func makeBinary() throws -> BuiltBinary {
    let binary = try BuiltBinary()
    let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "InferenceTests/Fixtures/models")
    for name in ["qwen3-q1_0", "qwen35-q1_0"] {
      let folder = binary.home + "/models/" + name
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: fixtures.appending(path: "\(name).gguf"), to: URL(filePath: "\(folder)/\(name).gguf"))
    }
    try binary.install("broken")
    return binary
  }

  @Test func installedModelsAsATable() throws {
    let outcome = try makeBinary().run("fit", "--ram", "8GB")
    #expect(outcome.code == 0)
    let lines = outcome.outputText.split(separator: "\n")
    #expect(lines.first == "A machine with 8.00 GB: 6.30 GB is available.")
    #expect(lines.contains { $0.hasPrefix("qwen3-q1_0 *") && $0.contains("fits well") })
    #expect(lines.contains { $0.hasPrefix("broken") && $0.contains("cut short") })
  }

  @Test func asAnObject() throws {
    let outcome = try makeBinary().run("fit", "--json", "--ram=2GB", "qwen35-q1_0")
    #expect(outcome.code == 0)
    let object = try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any]
    #expect(object?["available_bytes"] as? Int == 436_000_000)
    #expect(object?["best"] as? String == "qwen35-q1_0")
    let models = try #require(object?["models"] as? [[String: Any]])
    #expect(models.count == 1)
    #expect(models[0]["verdict"] as? String == "fits_well")
    #expect((models[0]["peaks"] as? [Any])?.isEmpty == false)
  }

  /// One size is one text, whichever command tells it.
  @Test func sizesHaveTheUnitsOfEveryOther() throws {
    let text = try makeBinary().run("fit", "--ram", "10000GB").outputText
    #expect(text.hasPrefix("A machine with 10.0 TB: "), "\(text)")
  }

  @Test func thisMachine() throws {
    let outcome = try makeBinary().run("fit")
    #expect(outcome.code == 0)
    #expect(outcome.outputText.contains("is available now, bounded by "))
  }

  @Test func whatMeansNothing() throws {
    let binary = try makeBinary()
    #expect(try binary.run("fit", "nothing").code == 3)
    for size in ["", "x", "-3", "0", "1e99GB", "GB"] {
      let outcome = try binary.run("fit", "--ram=\(size)")
      #expect(outcome.code == 2)
    }
    #expect(try binary.run("fit", "--ram", "many").errorText.contains("a size such as 8GB"))
  }
}
