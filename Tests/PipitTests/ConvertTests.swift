import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// `pipit convert` as users run it.
@Suite(.serialized) struct ConvertTests {
  private static let tests = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let checkpoint = tests.appending(
    path: "ConversionTests/Fixtures/sources/llama-bf16"
  )
  .path

  /// A small GGUF model with a tokenizer.
  private static func model(_ name: String) -> String {
    tests.appending(path: "InferenceTests/Fixtures/models/\(name).gguf").path
  }

  @Test(arguments: [
    "qwen3-q1_0", "qwen35-q1_0", "qwen3_moe-q4_0", "qwen3_5_moe-q8_0", "gemma3-q5_0",
  ])
  func aGGUFFileBecomesAFolderThatAnswersAlike(_ name: String) throws {
    let binary = try BuiltBinary()
    let output = binary.home + "/out"
    let bits = name.hasSuffix("q1_0") ? ["--bits", "1", "--group", "128"] : ["--bits", "8"]
    let group = bits.count == 2 ? ["--group", "32"] : []
    let outcome = try binary.run(["convert", Self.model(name), output, "--json"] + bits + group)
    #expect(outcome.code == 0, "\(outcome.errorText)")
    let report = try JSONReader.read(Array(outcome.output))
    #expect(report["bits_per_weight"]?.doubleValue.map { $0 > 1 && $0 < 17 } == true)

    // The tokenizer is the same, whichever file it is read from.
    let texts = Data(
      #"["Hi there", "<|im_start|>user\nhi<|im_end|>", "h\u00e9 \u00bd 12345 don't", "日本 🙂\r\n"]"#
        .utf8)
    for flag in ["--special", "--no-special"] {
      let ids = try [Self.model(name), output].map {
        try binary.run(["tokenize", "-m", $0, "--batch", flag], input: texts).outputText
      }
      #expect(ids[0] == ids[1] && ids[0].hasPrefix("[["), "\(ids)")
    }
    // So is the template, and what a few bits lose is little.
    let logits = try [Self.model(name), output].map { path in
      let file = binary.home + "/logits"
      let run = try binary.run(
        "logits", "-m", path, "--backend", "blas", "--tokens", "5,17,99,200,3", "--out", file)
      #expect(run.code == 0, "\(run.errorText)")
      return try unsafe Data(contentsOf: URL(filePath: file)).withUnsafeBytes {
        unsafe Array($0.bindMemory(to: Float.self))
      }
    }
    #expect(logits[0].count == logits[1].count)
    let difference = zip(logits[0], logits[1]).map { abs($0 - $1) }.reduce(0, +)
    let size = logits[0].map { abs($0) }.reduce(0, +)
    #expect(difference < 0.06 * size, "\(difference) of \(size)")
  }

  @Test func perplexityBeforeAndAfter() throws {
    let binary = try BuiltBinary()
    let text = String(repeating: "All that is gold does not glitter. ", count: 60)
    try Data(text.utf8).write(to: URL(filePath: binary.home + "/text"))
    let outcome = try binary.run(
      "convert", Self.model("qwen3-q1_0"), binary.home + "/out", "--bits", "1", "--group", "128",
      "--text", binary.home + "/text")
    #expect(outcome.code == 0, "\(outcome.errorText)")
    #expect(outcome.outputText.contains("bits per weight"))
    // One bit into one bit loses nothing.
    let line = outcome.outputText.split(separator: "\n").first { $0.hasPrefix("Perplexity ") } ?? ""
    #expect(line.contains(" before, ") && line.contains("0.0"), "\(line)")
  }

  @Test func whatIsLeftOutIsSaid() throws {
    let binary = try BuiltBinary()
    let source = Self.tests.appending(path: "ConversionTests/Fixtures/sources/qwen3_5-bf16").path
    let outcome = try binary.run("convert", source, binary.home + "/out")
    #expect(outcome.code == 0)
    #expect(outcome.errorText.contains("Left out: 1 tensor of the vision tower, 1.54 kB."))
    #expect(outcome.errorText.contains("Left out: 2 tensors of multi-token prediction, 16.5 kB."))
  }

  /// Rows of 64 and 96: a group of 64 leaves the latter, and one of 32 nothing.
  @Test func whatAGroupDoesNotFitIsSaid() throws {
    let binary = try BuiltBinary()
    let outcome = try binary.run(
      "convert", Self.checkpoint, binary.home + "/out", "--bits", "2", "--group", "64", "--json")
    #expect(outcome.code == 0, "\(outcome.errorText)")
    let report = try JSONReader.read(Array(outcome.output))
    let layers = report["unquantised_layers"]?.arrayValue ?? []
    #expect(!layers.isEmpty)
    #expect(
      layers.allSatisfy { $0["columns"]?.intValue == 96 && $0["bits"]?.intValue == 16 })
    let all = layers.count + (report["quantised_layers"]?.intValue ?? 0)
    #expect(
      outcome.errorText.contains(
        "\(layers.count) of \(all) layers stay at 16 bits: 96 is no multiple of 64; --group 32 fits."
      ),
      "\(outcome.errorText)")
    let fine = try binary.run("convert", Self.checkpoint, binary.home + "/two", "--group", "32")
    #expect(fine.code == 0 && !fine.errorText.contains("stay at"))
  }

  @Test func mistakesHaveSentencesAndCodes() throws {
    let binary = try BuiltBinary()
    func fails(_ arguments: [String], _ code: Int32, _ sentence: String) throws {
      let outcome = try binary.run(["convert"] + arguments)
      #expect(outcome.code == code, "\(arguments): \(outcome.errorText)")
      #expect(outcome.errorText.contains(sentence), "\(outcome.errorText)")
      #expect(outcome.outputText.isEmpty)
    }
    let output = binary.home + "/out"
    try fails([], 2, "SOURCE")
    try fails([Self.checkpoint], 2, "OUTPUT")
    try fails(["/no/model", output], 3, "/no/model")
    try fails([Self.checkpoint, binary.home], 2, "exists already")
    try fails(
      [Self.checkpoint, output, "--override", "nothing=4"], 2, "No layer matches \"nothing\"")
    try fails(
      [Self.checkpoint, output, "--ternary", "--group", "32"], 6, "is not ternary: in row 0")
    try fails([Self.checkpoint, output, "--group", "128"], 2, "group of 128")
    try fails([Self.checkpoint, binary.home + "/no/out"], 1, "no such file or directory")
    #expect(!FileManager.default.fileExists(atPath: output))
    #expect(!FileManager.default.fileExists(atPath: output + ".part"))
  }

  /// A limit on the size of a file stands for a disk that is full.
  @Test func aFullDiskLeavesNothing() throws {
    let binary = try BuiltBinary()
    let outcome = try binary.shell(
      "trap '' XFSZ; ulimit -f 8; exec \"$PIPIT\" convert \(Self.checkpoint) \(binary.home)/out")
    #expect(outcome.code == 1, "\(outcome.errorText)")
    #expect(outcome.errorText.contains("cannot be"))
    #expect(!FileManager.default.fileExists(atPath: binary.home + "/out"))
    #expect(!FileManager.default.fileExists(atPath: binary.home + "/out.part"))
  }

  @Test(
    .enabled(if: TestModels.smolLM2 != nil),
    arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143)), (SIGKILL, Int32(137))])
  func anEndedConversionLeavesNothingToLoad(_ signal: Int32, _ code: Int32) throws {
    let binary = try BuiltBinary()
    let source = try #require(TestModels.smolLM2)
    let output = binary.home + "/out"
    let child = try binary.start(["convert", source, output], input: .null)
    let part = output + ".part/model.safetensors.part"
    let deadline = Date().addingTimeInterval(30)
    while !FileManager.default.fileExists(atPath: part), Date() < deadline {
      Thread.sleep(forTimeInterval: 0.02)
    }
    child.kill(signal)
    let outcome = child.finish()
    #expect(outcome.code == code)
    #expect(!FileManager.default.fileExists(atPath: output))
    guard signal == SIGKILL else {
      #expect(outcome.errorText.contains("nothing of \(output) is left behind"))
      #expect(!FileManager.default.fileExists(atPath: output + ".part"))
      return
    }
    // What is left has no name that anything loads, and is in nobody's way.
    #expect(try binary.run("run", "-m", output + ".part", "x").code != 0)
    let again = try binary.run("convert", Self.checkpoint, output)
    #expect(again.code == 0, "\(again.errorText)")
    #expect(!FileManager.default.fileExists(atPath: output + ".part"))
  }
}
