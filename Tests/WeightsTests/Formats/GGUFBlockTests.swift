import JSON
import Foundation
import Kernels
import TestSupport
import Testing

import Weights

let fixtures = Fixtures(bundlePath: Bundle.module.resourcePath ?? Bundle.module.bundlePath)

/// A truth of `gguf_blocks.json`: raw blocks and their exact values.
struct BlockTruth: Sendable, CustomTestStringConvertible {
  let type: String
  let id: UInt32
  let block: Int
  let raw: [UInt8]
  let values: [Float]

  var testDescription: String { "\(type), blocks of \(block)" }

  static func all() throws -> [BlockTruth] {
    let json = try JSONReader.read(path: fixtures.path("gguf_blocks.json"))
    return try #require(json["cases"]?.arrayValue).map { item in
      BlockTruth(
        type: try #require(item["type"]?.stringValue),
        id: UInt32(try #require(item["ggml_type"]?.intValue)),
        block: try #require(item["block"]?.intValue),
        raw: try base64(item["raw"]), values: try floats(item["dequant_f32"]))
    }
  }
}

func base64(_ value: JSONValue?) throws -> [UInt8] {
  let text = try #require(value?.stringValue)
  return Array(try #require(Data(base64Encoded: text)))
}

func floats(_ value: JSONValue?) throws -> [Float] {
  let bytes = try base64(value)
  return stride(from: 0, to: bytes.count, by: 4).map { at in
    Float(
      bitPattern: UInt32(bytes[at]) | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2]) << 16
        | UInt32(bytes[at + 3]) << 24)
  }
}

@Suite struct GGUFBlockTests {
  @Test func truthsCoverEveryType() throws {
    let names = Set(try BlockTruth.all().map(\.type))
    #expect(names.isSuperset(of: ["Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q1_0", "Q2_0"]))
    #expect(names.isSuperset(of: ["Q4_K", "Q5_K", "Q6_K"]))
  }

  @Test(arguments: try BlockTruth.all())
  func valuesAreExact(_ truth: BlockTruth) throws {
    var builder = GGUFBuilder()
    builder.tensors = [
      .init("w", [UInt64(truth.values.count), 1], type: truth.id, data: truth.raw)
    ]
    let file = try GGUFFile(MappedFile(copying: builder.bytes()))
    let source = try file.matrix("w")
    #expect(source.columns == truth.values.count)
    #expect(source.sourceByteCount == truth.raw.count)
    let elements = try source.elements()
    #expect(elements.map(\.bitPattern) == truth.values.map(\.bitPattern))
  }

  /// Rows of several blocks, unpacked in any order, give what one long row gives.
  @Test(arguments: try BlockTruth.all())
  func rowsAreIndependent(_ truth: BlockTruth) throws {
    let rows = truth.values.count / truth.block
    var builder = GGUFBuilder()
    builder.tensors = [
      .init("w", [UInt64(truth.block), UInt64(rows)], type: truth.id, data: truth.raw)
    ]
    let source = try GGUFFile(MappedFile(copying: builder.bytes())).matrix("w")
    #expect(source.rows == rows)
    var row = UnpackedRow(format: source.format, columns: source.columns)
    for index in (0..<rows).reversed() {
      try row.unpack(source, row: index)
      for column in 0..<truth.block {
        let expected = truth.values[index * truth.block + column]
        #expect(row.value(column).bitPattern == expected.bitPattern)
      }
    }
  }
}
