import JSON
import Foundation
import Kernels
import TestSupport
import Testing
import Weights

@Suite struct SafetensorsCheckpointTests {
  private func shard(_ name: String, _ value: Float) -> [UInt8] {
    var builder = SafetensorsBuilder()
    builder.addFloats(name, [1, 2], [value, value])
    return builder.bytes()
  }

  @Test func shardsAreOneCheckpointWithOrWithoutIndex() throws {
    let directory = try ScratchDirectory()
    try directory.write("model-00001-of-00002.safetensors", shard("a", 1))
    try directory.write("model-00002-of-00002.safetensors", shard("b", 2))
    try directory.write("adapter.safetensors", shard("a", 3))
    let plain = try SafetensorsCheckpoint(path: directory.path)
    #expect(plain.tensorNames == ["a", "b"])
    #expect(plain.tensorByteCount == 16)
    #expect(plain.config == nil)
    try directory.write(
      "model.safetensors.index.json",
      #"{"weight_map": {"a": "model-00001-of-00002.safetensors", "#
        + #""b": "model-00002-of-00002.safetensors"}}"#)
    try directory.write("config.json", #"{"hidden_size": 2}"#)
    let indexed = try SafetensorsCheckpoint(path: directory.path)
    #expect(try indexed.vector("b") == [2, 2])
    #expect(indexed.config?["hidden_size"]?.intValue == 2)
  }

  @Test func aMissingShardIsNamed() throws {
    let directory = try ScratchDirectory()
    try directory.write("model-00001-of-00002.safetensors", shard("a", 1))
    let missing = WeightsError.invalid(
      file: directory.path,
      .directory("is incomplete: model-00002-of-00002.safetensors is missing"))
    #expect(throws: missing) { try SafetensorsCheckpoint(path: directory.path) }
  }

  @Test func aShardThatOnlyTheIndexKnowsIsMissedToo() throws {
    let directory = try ScratchDirectory()
    try directory.write("model.safetensors", shard("a", 1))
    try directory.write(
      "model.safetensors.index.json",
      #"{"weight_map": {"a": "model.safetensors", "b": "model-extra.safetensors"}}"#)
    let missing = WeightsError.invalid(
      file: directory.path, .directory("is incomplete: model-extra.safetensors is missing"))
    #expect(throws: missing) { try SafetensorsCheckpoint(path: directory.path) }
  }

  @Test func theSameTensorInTwoShardsIsRefused() throws {
    let directory = try ScratchDirectory()
    try directory.write("model-a.safetensors", shard("a", 1))
    try directory.write("model-b.safetensors", shard("a", 2))
    #expect(
      throws: WeightsError.invalid(
        file: directory.path, .duplicate(kind: .tensor, name: "a"))
    ) { try SafetensorsCheckpoint(path: directory.path) }
  }

  @Test func aDirectoryWithoutWeightsIsRefused() throws {
    let directory = try ScratchDirectory()
    #expect(
      throws: WeightsError.invalid(
        file: directory.path, .directory("holds no model*.safetensors"))
    ) { try SafetensorsCheckpoint(path: directory.path) }
  }

  @Test func aSingleFileIsEnough() throws {
    let directory = try ScratchDirectory()
    let path = try directory.write("weights.safetensors", shard("a", 4))
    #expect(try SafetensorsCheckpoint(path: path).vector("a") == [4, 4])
  }

  // MARK: Quantisation

  private func packed(
    weight: [Int] = [2, 16], scales: [Int] = [2, 2], scaleType: String = "F16",
    biases: [Int]? = [2, 2], weightType: String = "U32"
  ) -> [UInt8] {
    func zeros(_ shape: [Int], _ size: Int) -> [UInt8] {
      Array(repeating: 0, count: shape.reduce(size, *))
    }
    var builder = SafetensorsBuilder()
    builder.metadata = #"{"format":"mlx"}"#
    let scaleSize = scaleType == "U8" ? 1 : 2
    builder.tensors = [
      .init("m.weight", weightType, weight, data: zeros(weight, 4)),
      .init("m.scales", scaleType, scales, data: zeros(scales, scaleSize)),
    ]
    if let biases {
      builder.tensors.append(.init("m.biases", scaleType, biases, data: zeros(biases, scaleSize)))
    }
    return builder.bytes()
  }

  private func open(_ bytes: [UInt8], config: String? = nil) throws -> SafetensorsCheckpoint {
    try SafetensorsCheckpoint(
      path: "memory", files: [MappedFile(copying: bytes)],
      config: try config.map { try JSONReader.read(Array($0.utf8)) })
  }

  @Test func theFormIsMLXs() throws {
    #expect(try open(packed()).form == .mlx)
  }

  @Test(arguments: [
    (#"{"quantization": {"mode": "mxfp4"}}"#, "mxfp4"),
    (#"{"quantization_config": {"quant_method": "awq", "bits": 4, "group_size": 128}}"#, "awq"),
    (#"{"text_config": {"quantization_config": {"quant_method": "gptq"}}}"#, "gptq"),
  ]) func otherQuantisationIsRefusedByName(config: String, name: String) {
    #expect(throws: WeightsError.unsupported(file: "memory", .quantisation(name))) {
      try open(packed(), config: config).matrix("m.weight", columns: 128)
    }
  }

  @Test func anUnknownTypeIsRefusedWhenItIsUsed() throws {
    var builder = SafetensorsBuilder()
    builder.tensors = [.init("w", "F4", [2, 4], data: [1, 2, 3, 4])]
    let checkpoint = try open(builder.bytes())
    #expect(try checkpoint.byteCount("w") == 4)
    #expect(throws: WeightsError.unsupported(file: "memory", .dtype(tensor: "w", name: "F4"))) {
      try checkpoint.matrix("w")
    }
  }

  @Test func packingIsToldWithoutReadingWeights() throws {
    let affine = try open(packed(), config: #"{"quantization": {"bits": 4}}"#)
    #expect(
      affine.packing(of: "m.weight").map { [$0.bits, $0.group, $0.columns] } == [4, 64, 128])
    #expect(affine.packing(of: "m.weight")?.isSupported == true)
    let other = try open(
      packed(scales: [2, 4], scaleType: "U8", biases: nil),
      config: #"{"quantization": {"bits": 4, "group_size": 32, "mode": "mxfp4"}}"#)
    let packing = try #require(other.packing(of: "m.weight"))
    #expect(packing.mode == "mxfp4" && packing.group == 32 && !packing.isSupported)
    #expect(try open(packed()).packing(of: "m.weight") == nil)
    #expect(other.packing(of: "m.scales") == nil)
  }

  @Test func anotherModeOfOneModuleIsRefusedWhenItIsUsed() throws {
    let checkpoint = try open(
      packed(), config: #"{"quantization": {"bits": 4, "m": {"mode": "nvfp4"}}}"#)
    #expect(throws: WeightsError.unsupported(file: "memory", .quantisation("nvfp4"))) {
      try checkpoint.matrix("m.weight", columns: 128)
    }
  }

  @Test func scalesWithoutBiasesAreRefused() throws {
    let checkpoint = try open(packed(scaleType: "U8", biases: nil))
    #expect(
      throws: WeightsError.unsupported(
        file: "memory", .quantisation("U8 scales without biases"))
    ) { try checkpoint.matrix("m.weight", columns: 128) }
  }

  @Test func codesOfAnotherTypeAreRefused() throws {
    let checkpoint = try open(packed(weightType: "F32"))
    #expect(
      throws: invalid(.tensor(name: "m.weight", .scales("its codes are F32, not U32")))
    ) { try checkpoint.matrix("m.weight", columns: 128) }
  }

  @Test func biasesOfAnotherShapeAreRefused() throws {
    let checkpoint = try open(packed(biases: [2, 1]))
    #expect(
      throws: invalid(
        .tensor(
          name: "m.weight", .scales("its biases are F16 [2, 1], its scales F16 [2, 2]")))
    ) { try checkpoint.matrix("m.weight", columns: 128) }
  }

  /// 16 words are 512 bits: of 128 columns 4 each, of 73 none; 7 bits exist nowhere.
  @Test(arguments: [73, 32, 512 * 2, 0, -4]) func shapesThatFitNoWidthAreRefused(
    columns: Int
  ) throws {
    let checkpoint = try open(packed())
    #expect(
      throws: invalid(
        .tensor(
          name: "m.weight",
          .quantisedShape(weight: [2, 16], scales: [2, 2], columns: columns)))
    ) { try checkpoint.matrix("m.weight", columns: columns) }
  }

  @Test func withoutColumnsAndConfigurationTheWidthIsUnknown() throws {
    let checkpoint = try open(packed())
    #expect(
      throws: invalid(
        .tensor(
          name: "m.weight", .quantisedShape(weight: [2, 16], scales: [2, 2], columns: nil)))
    ) { try checkpoint.matrix("m.weight") }
  }

  /// Experts are a third, outermost dimension.
  @Test func outerDimensionsAreRows() throws {
    let checkpoint = try open(
      packed(weight: [3, 2, 16], scales: [3, 2, 2], biases: [3, 2, 2]))
    let source = try checkpoint.matrix("m.weight", columns: 128)
    #expect(source.rows == 6 && source.columns == 128)
  }

  @Test func integersAreNoMatrix() throws {
    var builder = SafetensorsBuilder()
    builder.tensors = [.init("ids", "I64", [1], data: Array(repeating: 0, count: 8))]
    let checkpoint = try open(builder.bytes())
    #expect(
      throws: WeightsError.unsupported(file: "memory", .dtype(tensor: "ids", name: "I64"))
    ) { try checkpoint.vector("ids") }
  }
}
