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
    // Once, as bundled, with what its row of the menu says.
    let all = try binary.run("models", "list").outputText.split(separator: "\n")
    #expect(all.count { $0.hasPrefix("pipit-180m-1bit") } == 1)
    let page = try binary.run("models", "show", "pipit-180m-1bit").outputText
    #expect(page.contains("Apache-2.0") && page.contains("with the program"), "\(page)")
    let verified = try binary.run("models", "verify")
    #expect(verified.code == 0)
    #expect(verified.outputText.contains("pipit-180m-1bit/model.safetensors: sound"))
    let pull = try binary.run("models", "pull", "pipit-180m-1bit", "--yes")
    #expect(pull.code == 0 && pull.errorText.contains("is installed already"))
    #expect(try binary.run("fit", "--ram", "8GB").outputText.contains("pipit-180m-1bit *"))

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

  /// Where it is missing nothing says that it can be had.
  @Test func withoutItsFilesItIsNowhere() throws {
    let binary = try BuiltBinary()
    #expect(!(try binary.run("models", "list").outputText.contains("pipit-180m")))
    #expect(!(try binary.run("fit").outputText.contains("pipit-180m")))
    let pull = try binary.run("models", "pull", "pipit-180m-1bit", "--yes")
    #expect(pull.code == 3)
    #expect(pull.errorText.contains("Scripts/quickstart"))
  }

  /// What `models list` says of it.
  private static func line(_ binary: BuiltBinary) throws -> Substring {
    let lines = try binary.run("models", "list", "--installed").outputText.split(separator: "\n")
    return lines.first { $0.hasPrefix("pipit-180m-1bit") } ?? ""
  }
}
