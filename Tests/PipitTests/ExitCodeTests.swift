import Foundation
import Testing

/// The codes that scripts rely on; 2 has its own suite, 130 and 143 are among the signals.
@Suite struct ExitCodeTests {
  @Test func doneIs0() throws {
    #expect(try BuiltBinary(script: #"{"replies": [["x"]]}"#).run("run", "x").code == 0)
  }

  @Test func aFailedReplyIs1AndKeepsItsText() throws {
    let binary = try BuiltBinary(script: #"{"replies": [["so far", {"fail": true}]]}"#)
    let outcome = try binary.run("run", "x")
    #expect(outcome.code == 1)
    #expect(outcome.outputText == "so far\n")
    #expect(outcome.errorText.contains("not a finite number"))
  }

  @Test func aModelThatIsNotThereIs3() throws {
    let binary = try BuiltBinary()
    let none = try binary.run("run", "x")
    #expect(none.code == 3)
    #expect(none.errorText.contains("pipit models pull"))
    #expect(try binary.run("run", "-m", "/no/such.gguf", "x").code == 3)
    try binary.install("smollm2")
    let other = try binary.run("run", "-m", "smolm2", "x")
    #expect(other.code == 3)
    #expect(other.errorText.contains("did you mean 'smollm2'?"))
    try binary.install("qwen3")
    let several = try binary.run("run", "x")
    #expect(several.code == 3)
    #expect(several.errorText.contains("pipit models default"))
    #expect(several.errorText.contains("qwen3, smollm2"))
  }

  @Test func refusedMemoryIs4() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["x"]], "loadFailures": {"big": "memory"}}"#)
    try binary.install("big")
    let outcome = try binary.run("run", "-m", "big", "x")
    #expect(outcome.code == 4)
    #expect(outcome.errorText.contains("-c 512"))
  }

  @Test func memoryThatRunsShortIs4AndKeepsTheReply() throws {
    let binary = try BuiltBinary(script: #"{"replies": [["so far", {"stop": "memory"}]]}"#)
    let outcome = try binary.run("run", "x")
    #expect(outcome.code == 4)
    #expect(outcome.outputText == "so far\n")
    #expect(outcome.errorText.contains("memory ran short"))
  }

  @Test func anExceededContextIs5() throws {
    let binary = try BuiltBinary(script: #"{"replies": [["x"]]}"#)
    let start = Date()
    let outcome = try binary.run("run", input: String(repeating: "a line of text\n", count: 70_000))
    #expect(outcome.code == 5)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errorText.contains("4,096"))
    #expect(Date().timeIntervalSince(start) < 20)
    #expect(try binary.run("run", "-c", "8", "a longer prompt").code == 5)
    for command in [["run", "x"], ["chat"], ["bench", "-p", "8"]] {
      let longer = try binary.run(command + ["-c", "9000"])
      #expect(longer.code == 5)
      #expect(
        longer.errorText == "pipit: The model's context is 4,096 tokens, and 9,000 are asked for.\n"
      )
    }
    let tests = try binary.run("bench", "-p", "9000")
    #expect(tests.code == 5)
    #expect(tests.errorText.contains("the tests of -p, -n and -d need 9,001."))
    let object = try binary.run("run", "-c", "9000", "--json", "x").outputText
    #expect(object.contains(#""kind":"model_context","asked_context_length":9000"#))
  }

  @Test func anInvalidFileIs6() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["x"]], "loadFailures": {"odd": "file"}}"#)
    try binary.install("odd")
    #expect(try binary.run("run", "-m", "odd", "x").code == 6)
    try Data("{".utf8).write(to: URL(filePath: binary.home + "/config.json"))
    let config = try BuiltBinary.withoutScript(binary).run("run", "x")
    #expect(config.code == 6)
    #expect(config.errorText.contains("config.json"))
  }
}

extension BuiltBinary {
  /// The same home without the scripted engine.
  static func withoutScript(_ other: BuiltBinary) throws -> BuiltBinary {
    let binary = try BuiltBinary()
    for item in try FileManager.default.contentsOfDirectory(atPath: other.home) {
      try FileManager.default.copyItem(
        atPath: other.home + "/" + item, toPath: binary.home + "/" + item)
    }
    return binary
  }
}
