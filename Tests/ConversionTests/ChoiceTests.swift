import Conversion
import Foundation
import JSON
import Kernels
import Testing
import TestSupport
import Weights

/// Which form each layer gets, and what cannot be given the form that is asked for.
@Suite struct ChoiceTests {
  private let llama = fixtures.path("sources/llama-bf16")

  @Test func anOverrideOfNoLayerIsAMistake() throws {
    let choice = QuantisationChoice(
      form: .affine(bits: 4, group: 64),
      overrides: [.init(pattern: PathPattern("down_proj"), form: .affine(bits: 6, group: 32))])
    #expect(throws: ConversionError.unmatched(pattern: "down_proj", example: "lm_head")) {
      try ConversionPlan(path: llama, choice: choice)
    }
  }

  @Test func anOverrideMustFitTheRows() throws {
    let choice = QuantisationChoice(
      form: .affine(bits: 4, group: 32),
      overrides: [.init(pattern: PathPattern("*.down_proj"), form: .affine(bits: 6, group: 64))])
    #expect(
      throws: ConversionError.partialGroup(
        tensor: "model.layers.0.mlp.down_proj.weight", columns: 96, group: 64)
    ) {
      try ConversionPlan(path: llama, choice: choice)
    }
  }

  @Test func theLastOverrideCounts() throws {
    let choice = QuantisationChoice(
      form: .affine(bits: 4, group: 32),
      overrides: [
        .init(pattern: PathPattern("*"), form: .affine(bits: 8, group: 32)),
        .init(pattern: PathPattern("*.mlp.*"), form: .affine(bits: 2, group: 32)),
      ])
    let conversion = try Conversion(llama, choice)
    let checkpoint = try SafetensorsCheckpoint(path: conversion.output)
    #expect(checkpoint.packing(of: "model.layers.0.mlp.up_proj.weight")?.bits == 2)
    #expect(checkpoint.packing(of: "model.layers.0.self_attn.q_proj.weight")?.bits == 8)
    #expect(checkpoint.packing(of: "model.embed_tokens.weight")?.bits == 8)
  }

  @Test func aGroupThatNoRowHasIsRefused() throws {
    #expect(throws: ConversionError.nothingToQuantise(group: 128)) {
      try ConversionPlan(
        path: fixtures.path("sources/gemma3-bf16"),
        choice: QuantisationChoice(form: .affine(bits: 4, group: 128)))
    }
  }

  @Test func ternaryWeightsAreKeptExactly() throws {
    let source = try Source(rows: 8, columns: 128) { row, column in
      [Float(0), 1, -1][(row * 7 + column * column) % 3] * 0.25 * Float(1 + row % 3)
    }
    let choice = QuantisationChoice(form: .ternary(group: 64))
    let conversion = try Conversion(source.path, choice)
    let name = "model.layers.0.mlp.up_proj.weight"
    let before = try SafetensorsCheckpoint(path: source.path).matrix(name).elements()
    let checkpoint = try SafetensorsCheckpoint(path: conversion.output)
    #expect(checkpoint.packing(of: name)?.bits == 2)
    #expect(try checkpoint.matrix(name, columns: 128).elements() == before)
    // Codes 0, 1 and 2 only.
    let words = try checkpoint.tensor(name).bytes
    #expect(
      (0..<words.count).allSatisfy { index in
        (0..<4).allSatisfy { words[index] >> UInt8(2 * $0) & 3 != 3 }
      })
  }

  @Test func weightsThatAreNotTernaryAreRefusedWithNumbers() throws {
    let source = try Source(rows: 8, columns: 128) { row, column in
      row == 5 && column == 70 ? 0.375 : column % 2 == 0 ? 0.5 : -0.5
    }
    #expect(
      throws: ConversionError.notTernary(
        tensor: "model.embed_tokens.weight", row: 5, group: 1, size: 0.5, other: 0.375)
    ) {
      try Conversion(source.path, QuantisationChoice(form: .ternary(group: 64)))
    }
  }

  @Test func whatIsNotFiniteOrTooLargeIsRefused() throws {
    let name = "model.embed_tokens.weight"
    let infinite = try Source(rows: 8, columns: 128) { row, _ in row == 3 ? .infinity : 1 }
    #expect(throws: ConversionError.notFinite(tensor: name, row: 3)) {
      try Conversion(infinite.path)
    }
    let large = try Source(rows: 8, columns: 128, kept: "float16") { row, column in
      row == 6 && column == 1 ? 70_000 : 1
    }
    #expect(throws: ConversionError.overflow(tensor: name, row: 6, type: "float16")) {
      try Conversion(large.path)
    }
  }

  @Test func aTensorOfNoPartOfTheModelIsRefused() throws {
    let source = try Source(rows: 8, columns: 128, extra: "model.layers.0.mlp.mystery.weight") {
      _, _ in
      1
    }
    let error = #expect(throws: (any Error).self) { try Conversion(source.path) }
    #expect("\(error.map { "\($0)" } ?? "")".contains("model.layers.0.mlp.mystery.weight"))
  }

  /// A llama of one layer in float32, all of whose matrices have `columns` inputs.
  private struct Source {
    let scratch: ScratchDirectory
    var path: String { scratch.path }

    init(
      rows: Int, columns: Int, kept: String? = nil, extra: String? = nil,
      _ weight: (_ row: Int, _ column: Int) -> Float
    ) throws {
      scratch = try ScratchDirectory()
      var file = SafetensorsBuilder()
      func add(_ name: String, _ rows: Int) {
        file.addFloats(
          name, [rows, columns],
          (0..<rows).flatMap { row in (0..<columns).map { weight(row % 8, $0) } })
      }
      let layer = "model.layers.0."
      add("model.embed_tokens.weight", rows)
      for name in ["q", "k", "v", "o"] { add("\(layer)self_attn.\(name)_proj.weight", columns) }
      for name in ["gate", "up", "down"] { add("\(layer)mlp.\(name)_proj.weight", columns) }
      for name in [layer + "input_layernorm", layer + "post_attention_layernorm", "model.norm"] {
        file.addFloats(name + ".weight", [columns], Array(repeating: 1, count: columns))
      }
      if let extra { add(extra, rows) }
      try scratch.write("model.safetensors", file.bytes())
      try scratch.write("tokenizer.json", "{}")
      let type = kept.map { #","torch_dtype":"\#($0)""# } ?? ""
      try scratch.write(
        "config.json",
        """
        {"model_type":"llama","hidden_size":\(columns),"intermediate_size":\(columns),\
        "num_hidden_layers":1,"num_attention_heads":2,"vocab_size":\(rows),\
        "max_position_embeddings":64\(type)}
        """)
    }
  }
}
