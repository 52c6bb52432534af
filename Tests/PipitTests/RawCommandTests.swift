import Foundation
import Glibc
import Testing

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

  /// What was there stays until all of the new is.
  @Test func aFileIsReplacedOnlyByAWholeOne() throws {
    let binary = try BuiltBinary(script: Self.script)
    let model = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "InferenceTests/Fixtures/models/qwen3-q1_0.gguf").path
    let file = binary.home + "/out/logits"
    try FileManager.default.createDirectory(
      atPath: binary.home + "/out", withIntermediateDirectories: true)
    try Data("before".utf8).write(to: URL(filePath: file))
    func expectUntouched() throws {
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "before")
      #expect(try FileManager.default.contentsOfDirectory(atPath: binary.home + "/out").count == 1)
    }
    let real = try BuiltBinary()
    let wrong = try real.run(
      "logits", "-m", model, "--tokens", "5,99999999", "--out", file)
    #expect(wrong.code == 2, "\(wrong.errorText)")
    try expectUntouched()

    // Many seconds of rows, so that the signal comes between two of them.
    let bundled = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Catalog/bundled/pipit-180m-1bit").standardized.path
    let tokens = Array(repeating: "1", count: 3000).joined(separator: ",")
    let child = try real.start(
      ["logits", "-m", bundled, "--tokens", tokens, "--chunk", "1", "--out", file], input: .null)
    let deadline = Date().addingTimeInterval(20)
    while !FileManager.default.fileExists(atPath: file + ".part"), Date() < deadline {
      usleep(10_000)
    }
    child.kill(SIGINT)
    #expect(child.finish().code == 130)
    try expectUntouched()

    let link = binary.home + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    #expect(try binary.run("logits", "--tokens", "1", "--out", link).code == 0)
    #expect(try Data(contentsOf: URL(filePath: file)).count == 8)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
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
