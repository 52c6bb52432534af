import Conversion
import Foundation
import JSON
import Kernels
import Testing
import TestSupport
import Transformers
import Weights

/// Files, folders and failures of a conversion.
@Suite struct ConverterTests {
  private let source = fixtures.path("sources/llama-bf16")

  @Test func bytesDoNotDependOnThreadsOrRuns() throws {
    let first = try Conversion(source, threads: 1)
    for threads in [1, 2, 5] {
      let other = try Conversion(source, threads: threads)
      for name in try FileManager.default.contentsOfDirectory(atPath: first.output) {
        #expect(try first.file(name) == other.file(name), "\(name) with \(threads) threads")
      }
    }
  }

  @Test func filesThatBelongToAModelComeAlong() throws {
    let conversion = try Conversion(source)
    for name in ["tokenizer.json", "tokenizer_config.json", "generation_config.json"] {
      let original = try Data(contentsOf: URL(filePath: "\(source)/\(name)"))
      #expect(try conversion.file(name) == Array(original), "\(name)")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: conversion.output).sorted()
    #expect(
      names == [
        "config.json", "generation_config.json", "model.safetensors",
        "model.safetensors.index.json", "tokenizer.json", "tokenizer_config.json",
      ])
    #expect(try FileManager.default.contentsOfDirectory(atPath: conversion.scratch.path) == ["out"])
  }

  @Test func indexAndSizesSayWhatIsThere() throws {
    let conversion = try Conversion(source)
    let index = try conversion.json("model.safetensors.index.json")
    let checkpoint = try SafetensorsCheckpoint(path: conversion.output)
    #expect(
      index["weight_map"]?.objectValue?.keys.sorted() == checkpoint.tensorNames.sorted())
    #expect(index["metadata"]?["total_size"]?.intValue == checkpoint.tensorByteCount)
    #expect(conversion.plan.tensorByteCount == checkpoint.tensorByteCount)
    let total = try FileManager.default.contentsOfDirectory(atPath: conversion.output)
      .reduce(0) { $0 + (try conversion.file($1).count) }
    #expect(total == conversion.plan.byteCount)
  }

  @Test func aLargeModelIsDividedAmongFiles() throws {
    let scratch = try ScratchDirectory()
    let choice = QuantisationChoice(form: .affine(bits: 4, group: 64))
    let plan = try ConversionPlan(path: source, choice: choice, shardLimit: 25_000)
    let output = scratch.path + "/out"
    try Converter(plan, threads: 2).write(to: output)
    let names = try FileManager.default.contentsOfDirectory(atPath: output)
      .filter { $0.hasSuffix(".safetensors") }.sorted()
    #expect(names.count > 2)
    #expect(names.first == "model-00001-of-0000\(names.count).safetensors")
    let index = try JSONReader.read(path: output + "/model.safetensors.index.json")
    let places = index["weight_map"]?.objectValue ?? JSONObject()
    for name in names {
      let file = try SafetensorsFile(MappedFile(path: "\(output)/\(name)"))
      #expect(file.metadata?["format"]?.stringValue == "mlx")
      for tensor in file.tensors {
        #expect(places[tensor.name]?.stringValue == name, "\(tensor.name)")
      }
      // A layer's codes, scales and biases stand together.
      for tensor in file.tensors where tensor.name.hasSuffix(".scales") {
        let codes = tensor.name.replacing(".scales", with: ".weight")
        #expect(places[codes]?.stringValue == name, "\(codes)")
      }
    }
    try expectSameTensors(output, fixtures.path("converted/llama-bf16-b4-g64"))
  }

  @Test func whatIsLeftOutIsCounted() throws {
    let plan = try ConversionPlan(path: fixtures.path("sources/qwen3_5-bf16"), choice: .usual)
    let totals = plan.unusedTotals
    #expect(totals.map(\.reason) == [.vision, .prediction])
    #expect(totals.map(\.count) == [1, 2])
    #expect(totals.map(\.byteCount) == [8 * 3 * 2 * 4 * 4 * 2, (64 * 128 + 64) * 2])
    let tied = try ConversionPlan(path: fixtures.path("sources/qwen2-f16"), choice: .usual)
    #expect(tied.unusedTotals.map(\.reason) == [.tiedOutput])
  }

  @Test func nothingIsOverwritten() throws {
    let scratch = try ScratchDirectory()
    let plan = try ConversionPlan(path: source, choice: .usual)
    let output = scratch.path + "/there"
    try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: false)
    #expect(throws: ConversionError.outputExists(output)) {
      try Converter(plan, threads: 1).write(to: output + "/")
    }
    #expect(throws: ConversionError.outputInSource(source + "/in")) {
      try Converter(plan, threads: 1).write(to: source + "/in")
    }
    // A folder of that name that no conversion has left.
    try FileManager.default.createDirectory(
      atPath: scratch.path + "/mine.part", withIntermediateDirectories: false)
    #expect(throws: ConversionError.outputExists(scratch.path + "/mine.part")) {
      try Converter(plan, threads: 1).write(to: scratch.path + "/mine")
    }
    #expect(throws: ConversionError.system(path: scratch.path + "/no/where.part", code: ENOENT)) {
      try Converter(plan, threads: 1).write(to: scratch.path + "/no/where")
    }
  }

  @Test func aCancelledConversionLeavesNothing() throws {
    let scratch = try ScratchDirectory()
    let plan = try ConversionPlan(path: source, choice: .usual)
    let cancellation = CancellationFlag()
    var calls = 0
    #expect(throws: ConversionError.cancelled) {
      try Converter(plan, threads: 2, cancellation: cancellation).write(
        to: scratch.path + "/out"
      ) { done, total in
        calls += 1
        if calls == 3 { cancellation.cancel() }
        #expect(done < total)
      }
    }
    #expect(calls == 3)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
  }

  @Test func whatAKilledConversionLeftIsRemoved() throws {
    let scratch = try ScratchDirectory()
    let part = scratch.path + "/out.part"
    try FileManager.default.createDirectory(atPath: part, withIntermediateDirectories: false)
    try scratch.write("out.part/pipit-convert.lock", "")
    try scratch.write("out.part/model.safetensors.part", "half of it")
    try scratch.write("out.part/config.json", "{}")
    #expect(throws: WeightsError.self) { try SafetensorsCheckpoint(path: part) }
    let plan = try ConversionPlan(path: source, choice: .usual)
    try Converter(plan, threads: 1).write(to: scratch.path + "/out")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["out"])
    try expectSameTensors(scratch.path + "/out", fixtures.path("converted/llama-bf16-b4-g64"))
  }

  @Test func twoConversionsDoNotWriteOneFolder() throws {
    let scratch = try ScratchDirectory()
    let plan = try ConversionPlan(path: source, choice: .usual)
    let output = scratch.path + "/out"
    var isTried = false
    try Converter(plan, threads: 1).write(to: output) { _, _ in
      guard !isTried else { return }
      isTried = true
      #expect(throws: ConversionError.busy(output)) {
        try Converter(plan, threads: 1).write(to: output)
      }
    }
    #expect(isTried)
    try expectSameTensors(output, fixtures.path("converted/llama-bf16-b4-g64"))
  }

  @Test func onlyTheOwnerMayRead() throws {
    let conversion = try Conversion(source)
    let mode = try FileManager.default.attributesOfItem(atPath: conversion.output)[
      .posixPermissions]
    #expect((mode as? NSNumber)?.intValue == 0o700)
    let file = try FileManager.default.attributesOfItem(
      atPath: conversion.output + "/model.safetensors")[.posixPermissions]
    #expect((file as? NSNumber)?.intValue == 0o600)
  }
}
