import Foundation
import TestSupport
import Testing

/// `pipit inspect` on files that are made here.
@Suite struct InspectTests {
  /// A GGUF file of no model that Pipit runs, with a type that it cannot compute with.
  private static var odd: GGUFBuilder {
    var builder = GGUFBuilder()
    builder.set("general.architecture", .string("odd\u{1B}[31mity"))
    builder.set("odd\u{1B}[31mity.context_length", .uint32(4096))
    builder.set("odd\u{1B}[31mity.block_count", .uint32(7))
    builder.set("general.name", .string("A\u{9B}name\nof two lines"))
    builder.set("tokenizer.ggml.model", .string("gpt2"))
    builder.set("tokenizer.ggml.tokens", .strings((0..<100).map { "piece\u{7}\($0)" }))
    builder.set("tokenizer.chat_template", .string(String(repeating: "x", count: 5000)))
    builder.set("some.flags", .bools([true, false]))
    builder.addFloats("norm\u{1B}.weight", [4], [1, 2, 3, 4])
    builder.tensors.append(
      GGUFBuilder.Tensor(
        "blk.0.weight", [256, 2], type: 19, data: Array(repeating: 0, count: 100)))
    return builder
  }

  private func inspect(
    _ builder: GGUFBuilder, _ arguments: String...
  ) throws -> Outcome {
    let binary = try BuiltBinary()
    let path = binary.home + "/odd.gguf"
    try Data(builder.bytes()).write(to: URL(filePath: path))
    return try binary.run(["inspect", path] + arguments)
  }

  @Test func typesThatDoNotRunAreNamed() throws {
    let text = try inspect(Self.odd)
    #expect(text.code == 0, "\(text.errorText)")
    #expect(text.outputText.contains("IQ1_S"))
    #expect(text.outputText.contains("not supported"))
    #expect(text.outputText.contains("does not run"))
    #expect(text.outputText.contains("2 × 256"))
    #expect(text.outputText.contains("(100 elements)"))
    #expect(text.outputText.contains("4,096 tokens"))
  }

  @Test func anUnknownTypeIsShownByItsNumber() throws {
    var builder = Self.odd
    builder.tensors[1].type = 99
    let text = try inspect(builder)
    #expect(text.code == 0, "\(text.errorText)")
    #expect(text.outputText.contains("type 99"))
    #expect(text.outputText.contains("not supported"))
  }

  @Test func anotherWayOfQuantisingIsShownByItsName() throws {
    let binary = try BuiltBinary()
    let folder = binary.home + "/other"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var builder = SafetensorsBuilder()
    builder.tensors = [
      .init("lm.weight", "U32", [2, 8], data: Array(repeating: 0, count: 64)),
      .init("lm.scales", "U8", [2, 2], data: Array(repeating: 0, count: 4)),
      .init("x", "F9", [3], data: Array(repeating: 0, count: 6)),
    ]
    try Data(builder.bytes()).write(to: URL(filePath: folder + "/model.safetensors"))
    let config = #"{"model_type":"llama","quantization":{"bits":4,"group_size":32,"mode":"mxfp4"}}"#
    try Data(config.utf8).write(to: URL(filePath: folder + "/config.json"))
    let outcome = try binary.run("inspect", folder)
    #expect(outcome.code == 0, "\(outcome.errorText)")
    #expect(outcome.outputText.contains("mxfp4, 4-bit, groups of 32"))
    #expect(outcome.outputText.contains("2 × 64"))
    #expect(outcome.outputText.contains("F9"))
    #expect(outcome.outputText.contains("does not run"))
  }

  @Test func noControlCharacterComesThrough() throws {
    for arguments in [[], ["--json"]] {
      let binary = try BuiltBinary()
      let path = binary.home + "/odd.gguf"
      try Data(Self.odd.bytes()).write(to: URL(filePath: path))
      let output = try binary.run(["inspect", "--model", path] + arguments).outputText
      #expect(!output.isEmpty)
      for scalar in output.unicodeScalars {
        #expect(scalar == "\n" || !(scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)))
      }
      #expect(!output.contains("\\u001b") && !output.contains("\\u0007"))
    }
  }

  @Test func jsonHasTheNumbers() throws {
    let outcome = try inspect(Self.odd, "--json")
    let json = try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any]
    #expect(json?["format"] as? String == "gguf")
    #expect(json?["architecture"] as? String == "odd[31mity")
    #expect(json?["name"] as? String == "Aname of two lines")
    #expect(json?["parameters"] as? Int == 516)
    #expect(json?["context_length"] as? Int == 4096)
    #expect(json?["layers"] as? Int == 7)
    #expect(json?["vocabulary"] as? Int == 100)
    #expect(json?["chat_template"] as? Bool == true)
    #expect(json?["runs"] as? Bool == false)
    let types = try #require(json?["types"] as? [[String: Any]])
    #expect(types.map { $0["type"] as? String } == ["IQ1_S", "F32"])
    #expect(types.map { $0["bytes"] as? Int } == [100, 16])
    #expect(types.map { $0["supported"] as? Bool } == [false, true])
    let tensors = try #require(json?["tensors"] as? [[String: Any]])
    #expect(tensors.map { $0["shape"] as? [Int] } == [[4], [2, 256]])
    let metadata = try #require(json?["metadata"] as? [String: Any])
    let pieces = try #require(metadata["tokenizer.ggml.tokens"] as? [String: Any])
    #expect(pieces["count"] as? Int == 100)
    #expect((pieces["first"] as? [String])?.first == "piece0")
    #expect(metadata["some.flags"] as? [Bool] == [true, false])
    let template = try #require(metadata["tokenizer.chat_template"] as? String)
    #expect(template.count == 1001)
  }

  @Test func aFolderOfPackedSafetensorsIsReadByWhatItPacks() throws {
    let binary = try BuiltBinary()
    let folder = binary.home + "/packed"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var builder = SafetensorsBuilder()
    builder.tensors = [
      .init("lm.weight", "U32", [2, 8], data: Array(repeating: 0, count: 64)),
      .init("lm.scales", "F16", [2, 1], data: Array(repeating: 0, count: 4)),
      .init("lm.biases", "F16", [2, 1], data: Array(repeating: 0, count: 4)),
      .init("norm.weight", "BF16", [3], data: Array(repeating: 0, count: 6)),
    ]
    try Data(builder.bytes()).write(to: URL(filePath: folder + "/model.safetensors"))
    let config = """
      {"model_type": "oddity", "quantization": {"bits": 4, "group_size": 64},
       "max_position_embeddings": 128, "num_hidden_layers": 3, "vocab_size": 9, "x": null}
      """
    try Data(config.utf8).write(to: URL(filePath: folder + "/config.json"))
    let outcome = try binary.run("inspect", folder, "--json")
    #expect(outcome.code == 0, "\(outcome.errorText)")
    let json = try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any]
    #expect(json?["format"] as? String == "mlx")
    #expect(json?["parameters"] as? Int == 131)
    #expect(json?["vocabulary"] as? Int == 9)
    #expect((json?["obstacle"] as? String)?.contains("tokenizer.json") == true)
    let tensors = try #require(json?["tensors"] as? [[String: Any]])
    #expect(tensors.first?["type"] as? String == "4-bit, groups of 64")
    #expect(tensors.first?["shape"] as? [Int] == [2, 64])
    let metadata = try #require(json?["metadata"] as? [String: Any])
    #expect(metadata["quantization.bits"] as? Int == 4)
    let text = try binary.run("inspect", folder).outputText
    #expect(text.contains("safetensors of MLX"))
  }

  @Test func aFileThatIsNoModelIsRefused() throws {
    var builder = Self.odd
    builder.magic = Array("GGML".utf8)
    #expect(try inspect(builder).code == 6)
    #expect(try BuiltBinary().run("inspect", "/no/such.gguf").code == 3)
  }

  @Test(.enabled(if: TestModels.smolLM2 != nil))
  func theDefaultModelRuns() throws {
    let model = try #require(TestModels.smolLM2)
    let outcome = try BuiltBinary().run("inspect", model, "--json")
    let json = try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any]
    #expect(json?["runs"] as? Bool == true, "\(outcome.outputText.prefix(2000))")
    #expect(json?["parameters"] as? Int == 134_515_008)
    #expect(json?["thinking"] as? String == "none")
    #expect(json?["tokenizer"] as? String == "byte-level BPE (gpt2, smollm)")
    let memory = try #require(json?["memory"] as? [String: Any])
    #expect(try #require(memory["weights_bytes"] as? Int) > 90_000_000)
  }
}
