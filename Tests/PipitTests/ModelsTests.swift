import Foundation
import JSON
import TestSupport
import Testing

@Suite struct ModelsTests {
  @Test func listsPathsAndDefaults() throws {
    let binary = try BuiltBinary()
    let empty = try binary.run("models", "list", "--installed")
    #expect(empty.code == 0)
    #expect(empty.outputText == "")
    try binary.install("qwen3")
    #expect(try binary.run("models", "default").outputText == "qwen3\n")
    try binary.install("smollm2")
    #expect(
      try binary.run("models", "--installed").outputText
        == "qwen3    4 B  ?  installed\nsmollm2  4 B  ?  installed\n")
    #expect(try binary.run("models", "default").code == 3)

    #expect(try binary.run("models", "default", "smollm2").code == 0)
    #expect(try binary.run("models", "default").outputText == "smollm2\n")
    #expect(
      try binary.run("models", "--installed").outputText
        == "qwen3    4 B  ?  installed\nsmollm2  4 B  ?  default\n")
    #expect(
      try binary.run("models", "path", "qwen3").outputText
        == binary.home + "/models/qwen3/qwen3.gguf\n")
    #expect(try binary.run("models", "path").outputText == binary.home + "/models\n")
    #expect(try binary.run("models", "path", "--json").outputText == "\"\(binary.home)/models\"\n")
    #expect(try binary.run("models", "default", "qwen").code == 3)
    let list = try JSONReader.read(Array(try binary.run("models", "list", "--json").output))
    let rows = list.arrayValue ?? []
    let installed = rows.filter { $0["installed"]?.boolValue == true }
    #expect(installed.map { $0["default"]?.boolValue } == [false, true])
    #expect(rows.contains { $0["name"]?.stringValue == "bonsai-27b" })
  }

  /// A name of the menu that is not here comes with the way to it.
  @Test func aModelOfTheMenuThatIsNotInstalledIsOffered() throws {
    let binary = try BuiltBinary()
    try binary.install("smollm2-360m")
    let outcome = try binary.run("run", "-m", "smollm2-135m", "x")
    #expect(outcome.code == 3)
    #expect(
      outcome.errorText == """
        pipit: The model 'smollm2-135m' is not installed; 'pipit models pull smollm2-135m' gets it \
        (98.4 MB).

        """, "\(outcome.errorText)")
    #expect(
      try binary.run("bench", "SmolLM2-135m").errorText.contains("pull smollm2-135m' gets it"))
    #expect(
      try binary.run("run", "-m", "smollm2-36m", "x").errorText.contains(
        "did you mean 'smollm2-360m'?"))
  }

  @Test func theMenuHasTheRecommendedOneFirst() throws {
    let binary = try BuiltBinary()
    let list = try JSONReader.read(Array(try binary.run("models", "--json").output))
    let rows = list.arrayValue ?? []
    let marked = rows.filter { $0["recommended"]?.boolValue == true }
    if rows.contains(where: { $0["fit"]?.stringValue == "comfortable" }) {
      #expect(marked.count == 1)
      #expect(rows.first == marked.first)
    }
    for row in rows { #expect(row["fit"]?.stringValue != nil) }
  }

  /// A row that no machine holds, and one that any does.
  private static let catalog = """
    {"schema": 1, "recommended": ["dwarf"], "models": [\(row("giant", 200, 16384)),
    \(row("dwarf", 2, 64))]}
    """

  private static func row(_ name: String, _ layers: Int, _ hidden: Int) -> String {
    """
    {"name": "\(name)", "title": "A \(name)", "family": "F", "publisher": "P", "licence": "MIT",
    "context": 4096, "thinking": "none", "architecture": {"name": "llama", "layers": \(layers),
    "full_attention_layers": \(layers), "hidden": \(hidden), "feed_forward": \(4 * hidden),
    "heads": 2, "key_value_heads": 1, "head_dimension": 32, "vocabulary": 1000, "tied": true},
    "variants": [{"name": "v", "format": "gguf", "bits": 4.5, "sources": [{"kind": "url", "files":
    [{"path": "m.gguf", "url": "http://127.0.0.1:9/m.gguf"}]}]}]}
    """
  }

  @Test func whatDoesNotFitSaysSoAndNamesOneThatDoes() throws {
    let binary = try BuiltBinary()
    let folder = binary.home + "/catalog.d"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(Self.catalog.utf8).write(to: URL(filePath: folder + "/a.json"))
    let giant = try binary.run("models", "show", "giant").outputText
    #expect(giant.contains("It does not fit this machine's memory: it needs about"))
    #expect(giant.contains("dwarf fits well."))
    let dwarf = try binary.run("models", "show", "dwarf").outputText
    #expect(dwarf.contains("It fits this machine's memory well"))
    let unknown = try binary.run("models", "show", "dwarv")
    #expect(unknown.code == 3)
    #expect(unknown.errorText.contains("did you mean 'dwarf'?"))
    // Pulling says it too, before it asks; here nobody can be asked.
    let pull = try binary.run("models", "pull", "giant")
    #expect(pull.code == 2)
    #expect(pull.errorText.contains("It does not fit"))
    #expect(pull.errorText.contains("Licence: MIT"))
    #expect(pull.errorText.contains("--yes"))
  }

  @Test func catalogsThatAreWrongAreSaidAndLeftOut() throws {
    let binary = try BuiltBinary()
    let folder = binary.home + "/catalog.d"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("{".utf8).write(to: URL(filePath: folder + "/a.json"))
    let list = try binary.run("models", "list")
    #expect(list.code == 0)
    #expect(list.errorText.contains("/a.json is left out of the menu"))
    #expect(list.outputText.contains("bonsai-8b"))
  }
}
