import Foundation
import Testing

@Suite struct BundledModelTests {
  /// The model that came with the program answers only where nothing else does.
  @Test func theBundledModelIsTheLastResort() throws {
    let binary = try BuiltBinary()
    let folder = binary.home + "/bundled"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let tree = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Catalog/bundled/pipit-180m-1bit").standardized.path
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/pipit-180m-1bit", withDestinationPath: tree)
    #expect(try Self.line(binary).contains("default, bundled"))
    let answer = try binary.run(
      "run", "--temperature", "0", "-n", "8", "What is the capital of France?")
    #expect(answer.code == 0)
    #expect(answer.outputText == "The capital of France is Paris, France\n")

    try binary.install("qwen3")
    #expect(try binary.run("models", "default").outputText == "qwen3\n")
    let line = try Self.line(binary)
    #expect(line.contains("bundled") && !line.contains("default"))
    #expect(try binary.run("models", "path", "pipit-180m-1bit").outputText.hasPrefix(folder))
  }

  /// What `models list` says of it.
  private static func line(_ binary: BuiltBinary) throws -> Substring {
    let lines = try binary.run("models", "list", "--installed").outputText.split(separator: "\n")
    return lines.first { $0.hasPrefix("pipit-180m-1bit") } ?? ""
  }
}
