import Foundation
import Kernels
import TestSupport
import Testing
import Weights

/// How fast headers are read and rows unpacked, per thread; printed in slow tests.
@Suite(.serialized, .enabled(if: TestModels.slow)) struct UnpackSpeedTests {
  static let rows = 4096
  static let columns = 4096

  @Test(.enabled(if: TestModels.smolLM2 != nil)) func theDefaultModel() throws {
    let path = try #require(TestModels.smolLM2)
    var opened: GGUFFile?
    print("header: \(try ThreadTime.measure { opened = try GGUFFile(path: path) }) s")
    let file = try #require(opened)
    let reading = try ThreadTime.measure {
      for key in file.metadata.keys {
        guard case .array(let array)? = file.metadata[key], array.elementType == .string else {
          continue
        }
        print("\(key): \(try array.strings().count) texts")
      }
    }
    print("texts: \(reading) s")
    for _ in 1...2 {
      let time = try ThreadTime.measure {
        for name in file.tensorNames { try unpack(file.matrix(name)) }
      }
      print("all tensors: \(time) s")
    }
  }

  @Test(arguments: [1, 2, 3, 6, 7, 8, 12, 13, 14, 41, 42] as [UInt32])
  func ggufTypes(type: UInt32) throws {
    let encoding = try #require(GGUFEncoding.candidates(id: type).first)
    let size = Self.rows * Self.columns / encoding.block * encoding.blockByteCount
    var builder = GGUFBuilder()
    builder.tensors = [
      .init(
        "w", [UInt64(Self.columns), UInt64(Self.rows)], type: type,
        data: Array(repeating: 0x35, count: size))
    ]
    let file = try GGUFFile(MappedFile(copying: builder.bytes()))
    try report(encoding.name, file.matrix("w"))
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 8]) func mlxWidths(bits: Int) throws {
    let count = Self.rows * Self.columns
    var builder = SafetensorsBuilder()
    builder.tensors = [
      .init(
        "m.weight", "U32", [Self.rows, Self.columns * bits / 32],
        data: Array(repeating: 0xA5, count: count * bits / 8)),
      .init(
        "m.scales", "F16", [Self.rows, Self.columns / 128],
        data: Array(repeating: 0x3C, count: count / 64)),
      .init(
        "m.biases", "F16", [Self.rows, Self.columns / 128],
        data: [0x3C, 0xBC].flatMap { Array(repeating: $0, count: count / 128) }),
    ]
    let checkpoint = try SafetensorsCheckpoint(
      path: "memory", files: [MappedFile(copying: builder.bytes())], config: nil)
    try report(
      "MLX \(bits) bits", checkpoint.matrix("m.weight", columns: Self.columns))
  }

  /// The scan that finds symmetric matrices, over one that is.
  @Test func detection() throws {
    let groups = 1 << 22
    var builder = SafetensorsBuilder()
    builder.tensors = [
      .init("m.weight", "U32", [groups, 8], data: Array(repeating: 0xA5, count: groups * 32)),
      .init("m.scales", "F16", [groups, 1], data: (0..<groups).flatMap { _ in [0x11, 0x38] }),
      .init("m.biases", "F16", [groups, 1], data: (0..<groups).flatMap { _ in [0x11, 0xB8] }),
    ]
    let checkpoint = try SafetensorsCheckpoint(
      path: "memory", files: [MappedFile(copying: builder.bytes())], config: nil)
    var source: (any RowSource)?
    let time = try ThreadTime.measure {
      source = try checkpoint.matrix("m.weight", columns: 128)
    }
    #expect(
      source?.format == .grouped(bits: 2, group: 128, scale: .float16, zero: .symmetric(1)))
    print("detection: \(time / Double(groups) * 1e9) ns per group")
  }

  private func report(_ name: String, _ source: any RowSource) throws {
    try unpack(source)
    let time = try ThreadTime.measure { try unpack(source) }
    print("\(name): \(Double(Self.rows * Self.columns) / time / 1e9) G/s")
  }

  private func unpack(_ source: any RowSource) throws {
    var row = UnpackedRow(format: source.format, columns: source.columns)
    for index in 0..<source.rows { try row.unpack(source, row: index) }
  }
}
