import Foundation
import Testing

@Suite struct ModelsTests {
  @Test func listsPathsAndDefaults() throws {
    let binary = try BuiltBinary()
    let empty = try binary.run("models", "list")
    #expect(empty.code == 0)
    #expect(empty.outputText == "")
    try binary.install("qwen3")
    #expect(try binary.run("models", "default").outputText == "qwen3\n")
    try binary.install("smollm2")
    #expect(try binary.run("models").outputText == "qwen3    4 B\nsmollm2  4 B\n")
    #expect(try binary.run("models", "default").code == 3)

    #expect(try binary.run("models", "default", "smollm2").code == 0)
    #expect(try binary.run("models", "default").outputText == "smollm2\n")
    #expect(try binary.run("models").outputText == "qwen3    4 B\nsmollm2  4 B  default\n")
    #expect(
      try binary.run("models", "path", "qwen3").outputText
        == binary.home + "/models/qwen3/qwen3.gguf\n")
    #expect(try binary.run("models", "path").outputText == binary.home + "/models\n")
    #expect(try binary.run("models", "default", "qwen").code == 3)
    let list = try binary.run("models", "list", "--json")
    let rows = try JSONSerialization.jsonObject(with: list.output) as? [[String: Any]]
    #expect(rows?.map { $0["default"] as? Bool } == [false, true])
  }

  /// The model that came with the program answers only where nothing else does.
  @Test func theBundledModelIsTheLastResort() throws {
    let binary = try BuiltBinary()
    let folder = binary.home + "/bundled"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let tree = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Catalog/bundled/pipit-180m-1bit").standardized.path
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/pipit-180m-1bit", withDestinationPath: tree)
    #expect(
      try binary.run("models").outputText == "pipit-180m-1bit  41.6 MB  bundled  default\n")
    let answer = try binary.run(
      "run", "--temperature", "0", "-n", "8", "What is the capital of France?")
    #expect(answer.code == 0)
    #expect(answer.outputText == "The capital of France is Paris, France\n")

    try binary.install("qwen3")
    #expect(try binary.run("models", "default").outputText == "qwen3\n")
    #expect(
      try binary.run("models").outputText
        == "qwen3            4 B  default\npipit-180m-1bit  41.6 MB  bundled\n")
    #expect(try binary.run("models", "path", "pipit-180m-1bit").outputText.hasPrefix(folder))
  }
}

@Suite struct FirstRunTests {
  @Test func showsAFewFigures() throws {
    let binary = try BuiltBinary(script: #"{"replies": [["One", " two."]]}"#)
    let outcome = try binary.run("bench", "--first-run")
    #expect(outcome.code == 0)
    for name in ["model", "load", "prefill", "decode", "memory", "sample          One two."] {
      #expect(outcome.outputText.contains(name))
    }
    let json = try binary.run("bench", "--first-run", "--json")
    let report = try JSONSerialization.jsonObject(with: json.output) as? [String: Any]
    #expect(report?["sample"] as? String == "One two.")
  }

  @Test func anyKeySkips() throws {
    let binary = try BuiltBinary(script: #"{"replies": [[{"delay": 60000}, "word"]]}"#)
    let terminal = try PseudoTerminal(binary, ["bench", "--first-run"])
    #expect(terminal.expect("any key skips"))
    terminal.type("x")
    #expect(terminal.expect("Skipped"))
    #expect(terminal.child.finish().code == 0)
  }
}

@Suite struct RawCommandTests {
  private static let script = #"{"replies": [["x"]]}"#

  @Test func tokenizeInBatches() throws {
    let binary = try BuiltBinary(script: Self.script)
    let outcome = try binary.run(
      "tokenize", "--batch", input: #"["hi", "", "\u4e16\n", "a<|im_end|>"]"#)
    #expect(outcome.outputText == "[[104, 105], [], [228, 184, 150, 10], [97, 256]]\n")
    #expect(try binary.run("tokenize", "--batch", input: #"["hi", 3]"#).code == 2)
    #expect(try binary.run("tokenize", "--batch", input: "[").code == 2)
  }

  @Test func detokenizeIsExact() throws {
    let binary = try BuiltBinary(script: Self.script)
    #expect(try binary.run("detokenize", input: "[[104, 105]\n 10]").output == Data("hi\n".utf8))
    #expect(try binary.run("detokenize", input: "228 184").output == Data([228, 184]))
    #expect(try binary.run("detokenize", input: "1 two").code == 2)
    #expect(try binary.run("detokenize", input: "999").code == 2)
  }

  @Test func templatesRender() throws {
    let binary = try BuiltBinary(script: Self.script)
    let input = #"{"messages": [{"role": "user", "content": "Hi"}]}"#
    #expect(try binary.run("template", "--input", "-", input: input).outputText == "^Hi")
    let file = binary.home + "/t.jinja"
    try Data("{{ messages[0].role }}\n{{ wish }}".utf8).write(to: URL(filePath: file))
    let own = try binary.run(
      "template", "--template-file", file, "--input", "-",
      input: #"{"messages": [{"role": "user"}], "wish": true}"#)
    #expect(own.outputText == "user\nTrue")
    try Data("{% if %}".utf8).write(to: URL(filePath: file))
    let broken = try binary.run(
      "template", "--template-file", file, "--input", "-", input: input)
    #expect(broken.code == 6)
    #expect(broken.errorText.contains("line 1"))
    #expect(try binary.run("template", "--input", "/no/such/file").code == 1)
  }

  @Test func logitsAreLittleEndianFloats() throws {
    let binary = try BuiltBinary(script: Self.script)
    let file = binary.home + "/logits.f32"
    #expect(try binary.run("logits", "--tokens", "1, 2", "--out", file).code == 0)
    let expected: [Float] = [1, 0.5, 2, 0.5]
    let bytes = expected.flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt32($0))) }
    }
    #expect(try Data(contentsOf: URL(filePath: file)) == Data(bytes))
  }
}
