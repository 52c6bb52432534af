import JSON
import Foundation
import Kernels
import TestSupport
import Testing
import Weights

/// Thousands of damaged files per parser: each gives an error of the right type or is read, in no
/// time, and without memory that the file's size does not justify.
///
/// `PIPIT_FUZZ_ITERATIONS` raises the number, with one of these tests alone.
@Suite(.serialized) struct FuzzTests {
  private func run(
    _ name: String, _ corpus: [[UInt8]], seed: UInt64, _ read: ([UInt8]) throws -> Void
  ) throws {
    let run = try FuzzRun(
      name, corpus, seed: seed, isExpected: { $0 is WeightsError || $0 is JSONError }, read: read)
    #expect(run.accepted < run.files)
    #expect(run.isWithinBounds, "\(run)")
  }

  @Test func damagedGGUF() throws {
    var quantised = GGUFBuilder()
    quantised.set("general.alignment", .uint32(64))
    quantised.alignment = 64
    quantised.set("nested", .nested([.int32s([1, 2]), .nested([.strings(["x", "y"])])]))
    quantised.set("split.count", .uint16(1))
    for (index, type) in [6, 8, 12, 14, 41, 42].enumerated() as EnumeratedSequence<[UInt32]> {
      let encoding = try #require(GGUFEncoding.candidates(id: type).first)
      let count = 256 / encoding.block * encoding.blockByteCount
      quantised.tensors.append(
        .init("t\(index)", [256, 1], type: type, data: Array(repeating: 7, count: count)))
    }
    quantised.tensors.append(.init("u", [64, 1], type: 77, data: Array(repeating: 7, count: 64)))
    try run("GGUF", [MalformedGGUF.sound.bytes(), quantised.bytes()], seed: 1) { bytes in
      let file = try GGUFFile(MappedFile(copying: bytes))
      for key in file.metadata.keys {
        if case .array(let array)? = file.metadata[key] {
          _ = array.prefix(4)
          _ = try? array.strings()
          _ = try? array.integers()
          _ = try? array.integers32()
          _ = try? array.floats()
        }
        _ = try? file.metadata.integer(key)
      }
      for name in file.tensorNames { _ = try? file.vector(name) }
    }
  }

  @Test func damagedSafetensors() throws {
    var plain = SafetensorsBuilder()
    plain.metadata = #"{"format":"pt"}"#
    plain.addFloats("norm.weight", [4], [1, 2, 3, 4])
    plain.tensors.append(.init("b", "BF16", [2, 3], data: Array(repeating: 0x3F, count: 12)))
    var packed = SafetensorsBuilder()
    packed.tensors = [
      .init("m.weight", "U32", [2, 16], data: Array(repeating: 0xA5, count: 128)),
      .init("m.scales", "F16", [2, 2], data: Array(repeating: 0x3C, count: 8)),
      .init("m.biases", "F16", [2, 2], data: Array(repeating: 0xBC, count: 8)),
    ]
    packed.tensors.append(.init("u", "F4", [8], data: Array(repeating: 7, count: 4)))
    try run("safetensors", [plain.bytes(), packed.bytes()], seed: 2) { bytes in
      let checkpoint = try SafetensorsCheckpoint(
        path: "memory", files: [MappedFile(copying: bytes)], config: nil)
      for name in checkpoint.tensorNames {
        _ = try? checkpoint.vector(name)
        _ = try? checkpoint.matrix(name, columns: 128).elements()
        _ = checkpoint.packing(of: name)
      }
    }
  }

  @Test func damagedJSON() throws {
    let text = #"""
      {"model": {"type": "BPE", "vocab": {"a": 0, "\u0120b": 1, "\ud83d\ude00": 2, "ö": 3},
       "merges": ["a b", ["c", "d"]], "x": [1.5e3, -0, true, false, null, {}, []]}, "n": 1e-5}
      """#
    try run("JSON", [Array(text.utf8)], seed: 3) { bytes in _ = try JSONReader.read(bytes) }
  }

  @Test func damagedConfiguration() throws {
    let text = #"""
      {"hidden_size": 128, "quantization": {"bits": 4, "group_size": 64, "mode": "affine",
       "m": {"bits": 8, "group_size": 32}, "k": false}}
      """#
    var packed = SafetensorsBuilder()
    packed.tensors = [
      .init("m.weight", "U32", [2, 32], data: Array(repeating: 0xA5, count: 256)),
      .init("m.scales", "F16", [2, 4], data: Array(repeating: 0x3C, count: 16)),
      .init("m.biases", "F16", [2, 4], data: Array(repeating: 0xBC, count: 16)),
    ]
    let file = MappedFile(copying: packed.bytes())
    try run("quantisation", [Array(text.utf8)], seed: 4) { bytes in
      let config = try JSONReader.read(bytes)
      let checkpoint = try SafetensorsCheckpoint(path: "memory", files: [file], config: config)
      _ = try checkpoint.matrix("m.weight")
    }
  }
}
