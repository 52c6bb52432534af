import Conversion
import Foundation
import JSON
import Testing
import TestSupport
import Transformers
import Weights

/// What mlx-lm's `convert` makes of the same checkpoints.
@Suite struct GoldenConversionTests {
  /// A folder of Fixtures/converted: source, width and group are in its name.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    var testDescription: String { name }

    var parts: [Substring] { name.split(separator: "-") }
    var isMixed: Bool { name.hasSuffix("-mixed") }
    var isGGUF: Bool { name.hasPrefix("gguf-") }
    private var formParts: [Substring] { parts.suffix(isMixed ? 3 : 2) }

    var choice: QuantisationChoice {
      let bits = Int(formParts[formParts.startIndex].dropFirst()) ?? 0
      let group = Int(formParts[formParts.startIndex + 1].dropFirst()) ?? 0
      let overrides: [QuantisationChoice.Override] =
        isMixed
        ? [
          .init(pattern: PathPattern("*.v_proj"), form: .affine(bits: 8, group: 32)),
          .init(pattern: PathPattern("*.o_proj"), form: .plain),
          .init(pattern: PathPattern("lm_head"), form: .affine(bits: 6, group: 64)),
        ] : []
      return QuantisationChoice(form: .affine(bits: bits, group: group), overrides: overrides)
    }

    var source: String {
      let source = parts.dropLast(isMixed ? 3 : 2).dropFirst(isGGUF ? 1 : 0).joined(separator: "-")
      guard isGGUF else { return fixtures.path("sources/\(source)") }
      let folder = source.contains("moe") ? "moe" : "own"
      return goldenModels.appending(path: "\(folder)/\(source).gguf").path
    }
  }

  static let cases: [Case] = {
    let names = try? FileManager.default.contentsOfDirectory(atPath: fixtures.path("converted"))
    return (names ?? []).sorted().map { Case(name: $0) }
  }()

  @Test func everyKindOfCaseIsThere() {
    #expect(Self.cases.count >= 19)
    #expect(Self.cases.count { $0.isGGUF } >= 6)
  }

  @Test(arguments: cases) func tensorsEqualThoseOfMLX(_ example: Case) throws {
    let conversion = try Conversion(example.source, example.choice)
    try expectSameTensors(
      conversion.output, fixtures.path("converted/\(example.name)"), isFromGGUF: example.isGGUF)
  }

  @Test(arguments: cases) func configurationEqualsThatOfMLX(_ example: Case) throws {
    let found = try Conversion(example.source, example.choice).json("config.json")
    let expected = try JSONReader.read(
      path: fixtures.path("converted/\(example.name)/config.json"))
    guard example.isGGUF else {
      #expect(Self.comparable(found) == Self.comparable(expected))
      return
    }
    // The keys of a GGUF file's numbers; the golden models' configurations have some more.
    let (mine, theirs) = (found["text_config"] ?? found, expected["text_config"] ?? expected)
    #expect(found["quantization"]?.sorted == expected["quantization"]?.sorted)
    #expect(found["model_type"] == expected["model_type"])
    for (key, value) in theirs.objectValue ?? JSONObject()
    where ![
      "rope_scaling", "rope_parameters", "mamba_ssm_dtype", "quantization",
      "quantization_config", "architectures",
    ].contains(key) {
      #expect(mine[key]?.sorted == value.sorted, "\(key)")
    }
    for (key, value) in theirs["rope_scaling"]?.objectValue ?? JSONObject() {
      #expect(mine["rope_scaling"]?[key]?.sorted == value.sorted, "\(key)")
    }
    for key in ["rope_theta", "partial_rotary_factor", "mrope_section"] {
      #expect(
        mine["rope_parameters"]?[key]?.sorted == theirs["rope_parameters"]?[key]?.sorted, "\(key)")
    }
  }

  /// What is converted is a model for Pipit as well.
  @Test(arguments: cases) func loads(_ example: Case) throws {
    let conversion = try Conversion(example.source, example.choice)
    let checkpoint = try SafetensorsCheckpoint(path: conversion.output)
    let settings = ModelSettings(configuration: try #require(checkpoint.config))
    let plan = try ModelPlan(checkpoint, settings: settings)
    #expect(plan.configuration.layers.count > 0)
  }

  /// Without what mlx-lm's model classes do to a configuration in passing: Qwen3.5's renames a key,
  /// Gemma 3's fills in a default.
  private static func comparable(_ configuration: JSONValue) -> JSONValue {
    var object = configuration.objectValue ?? JSONObject()
    guard var text = object["text_config"]?.objectValue else {
      return JSONValue.object(object).sorted
    }
    if var rope = text["rope_parameters"]?.objectValue {
      rope["type"] = nil
      rope["rope_type"] = nil
      text["rope_parameters"] = .object(rope)
    }
    object["text_config"] = .object(text)
    return JSONValue.object(object).sorted
  }
}
