import JSON
import Foundation
import Kernels
import TestSupport
import Testing
import Weights

/// A truth of `mlx_affine.json`.
struct AffineTruth: Sendable, CustomTestStringConvertible {
  let bits: Int
  let group: Int
  let rows: Int
  let columns: Int
  let dtype: String
  let weight: [UInt8]
  let scales: [UInt8]
  let biases: [UInt8]
  let values: [Float]

  var testDescription: String { "\(bits) bits, group \(group), \(dtype)" }

  static func all() throws -> [AffineTruth] {
    let json = try JSONReader.read(path: fixtures.path("mlx_affine.json"))
    let dtypes = ["float16": "F16", "bfloat16": "BF16", "float32": "F32"]
    return try #require(json["cases"]?.arrayValue).map { item in
      AffineTruth(
        bits: try #require(item["bits"]?.intValue), group: try #require(item["group"]?.intValue),
        rows: try #require(item["rows"]?.intValue), columns: try #require(item["cols"]?.intValue),
        dtype: try #require(item["scales_dtype"]?.stringValue.flatMap { dtypes[$0] }),
        weight: try base64(item["weight_u32"]), scales: try base64(item["scales"]),
        biases: try base64(item["biases"]), values: try floats(item["dequant_f32"]))
    }
  }

  func checkpoint(config: String = "{}") throws -> SafetensorsCheckpoint {
    var builder = SafetensorsBuilder()
    builder.tensors = [
      .init("m.weight", "U32", [rows, columns * bits / 32], data: weight),
      .init("m.scales", dtype, [rows, columns / group], data: scales),
      .init("m.biases", dtype, [rows, columns / group], data: biases),
    ]
    return try SafetensorsCheckpoint(
      path: "memory", files: [MappedFile(copying: builder.bytes())],
      config: try JSONReader.read(Array(config.utf8)))
  }
}

@Suite struct MLXAffineTests {
  @Test func truthsCoverEveryWidthAndGroup() throws {
    let pairs = Set(try AffineTruth.all().map { [$0.bits, $0.group] })
    for bits in [1, 2, 3, 4, 5, 6, 8] {
      for group in [32, 64, 128] { #expect(pairs.contains([bits, group])) }
    }
  }

  @Test(arguments: try AffineTruth.all()) func valuesAreExact(_ truth: AffineTruth) throws {
    let source = try truth.checkpoint().matrix("m.weight", columns: truth.columns)
    guard case .grouped(let bits, let group, _, _) = source.format else {
      Issue.record("\(source.format)")
      return
    }
    #expect(bits == truth.bits && group == truth.group)
    #expect(source.rows == truth.rows && source.columns == truth.columns)
    #expect(
      source.sourceByteCount == truth.weight.count + truth.scales.count + truth.biases.count)
    // Not bit patterns: of a symmetric matrix the zeros may differ in sign.
    #expect(try source.elements() == truth.values)
  }

  /// A configuration with the wrong width does not matter when the model says how wide rows are.
  @Test(arguments: try AffineTruth.all()) func shapesOverrideTheConfiguration(
    _ truth: AffineTruth
  ) throws {
    let wrong = try truth.checkpoint(
      config: #"{"quantization": {"bits": 7, "group_size": 16}}"#)
    #expect(try wrong.matrix("m.weight", columns: truth.columns).elements() == truth.values)
    let right = try truth.checkpoint(
      config: "{\"quantization\": {\"bits\": \(truth.bits), \"group_size\": \(truth.group)}}")
    #expect(try right.matrix("m.weight").elements() == truth.values)
  }
}
