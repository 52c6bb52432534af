import JSON
import Foundation
import TestSupport
import Testing
import Weights

/// A broken safetensors file and what must be said about it.
struct MalformedSafetensors: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let bytes: [UInt8]
  let expected: WeightsError

  init(
    _ name: String, _ expected: WeightsError, _ change: (inout SafetensorsBuilder) -> Void
  ) {
    var builder = Self.sound
    change(&builder)
    testDescription = name
    bytes = builder.bytes()
    self.expected = expected
  }

  static var sound: SafetensorsBuilder {
    var builder = SafetensorsBuilder()
    builder.addFloats("a", [2, 2], [1, 2, 3, 4])
    builder.addFloats("b", [4], [5, 6, 7, 8])
    return builder
  }

  private static func tensor(_ problem: TensorProblem) -> WeightsError {
    invalid(.tensor(name: "b", problem))
  }

  static let all: [MalformedSafetensors] = header + tensors

  static let header: [MalformedSafetensors] = [
    .init(
      "header of 2^63 bytes", invalid(.count(of: "bytes of header", claimed: 1 << 63, most: 153))
    ) { $0.headerLength = 1 << 63 },
    .init(
      "header longer than the file",
      invalid(.truncated(part: "the header", offset: 8, needed: 1000, available: 145))
    ) { $0.headerLength = 1000 },
    .init("header cut", invalid(.json(JSONError(offset: 68, reason: .unexpectedEnd)))) {
      $0.headerLength = 60
    },
    .init("header is an array", invalid(.header("is no object"))) { $0.json = "[]" },
    .init(
      "metadata is no object", invalid(.header("has a __metadata__ that is no object"))
    ) { $0.metadata = "1" },
    .init("not JSON", invalid(.json(JSONError(offset: 8, reason: .unexpected(0x80))))) {
      $0.headerLength = 151
      $0.json = ""
      $0.tensors = [.init("x", "U8", [160], data: [UInt8](repeating: 0x80, count: 160))]
    },
    .init(
      "the same tensor twice", invalid(.duplicate(kind: .tensor, name: "a"))
    ) { $0.tensors[1].name = "a" },
  ]

  static let tensors: [MalformedSafetensors] = [
    .init("more of an unknown dtype than its bytes hold", tensor(.size(expected: 128, found: 16))) {
      $0.tensors[1].dtype = "F4"
      $0.tensors[1].shape = [16, 64]
    },
    .init(
      "an unknown dtype outside the file",
      tensor(.outsideFile(offset: 24, bytes: 16, available: 32))
    ) {
      $0.tensors[1].dtype = "F4"
      $0.tensors[1].offsets = (24, 40)
    },
    .init("wrong length", tensor(.size(expected: 20, found: 16))) { $0.tensors[1].shape = [5] },
    .init("a size of zero", tensor(.zeroDimension([0]))) {
      $0.tensors[1].shape = [0]
      $0.tensors[1].data = []
    },
    .init("a negative size", tensor(.headerEntry)) { $0.tensors[1].shape = [-4] },
    .init("sizes overflow", tensor(.tooManyElements([1 << 62, 1 << 62]))) {
      $0.tensors[1].shape = [1 << 62, 1 << 62]
    },
    .init("offsets reversed", tensor(.headerEntry)) { $0.tensors[1].offsets = (32, 16) },
    .init("negative offset", tensor(.headerEntry)) { $0.tensors[1].offsets = (-16, 0) },
    .init("outside the file", tensor(.outsideFile(offset: 24, bytes: 16, available: 32))) {
      $0.tensors[1].offsets = (24, 40)
    },
    .init(
      "overlap", tensor(.overlap(with: "a", offset: 128))
    ) { $0.tensors[1].offsets = (8, 24) },
    .init("no dtype", invalid(.tensor(name: "c", .headerEntry))) {
      $0.json = #"{"c":{"shape":[1],"data_offsets":[0,4]}}"#
    },
    .init("three offsets", invalid(.tensor(name: "c", .headerEntry))) {
      $0.json = #"{"c":{"dtype":"F32","shape":[1],"data_offsets":[0,4,8]}}"#
    },
    .init("a shape of text", invalid(.tensor(name: "c", .headerEntry))) {
      $0.json = #"{"c":{"dtype":"F32","shape":["1"],"data_offsets":[0,4]}}"#
    },
  ]
}

@Suite struct SafetensorsMalformedTests {
  private static func open(_ bytes: [UInt8]) throws(WeightsError) -> SafetensorsCheckpoint {
    try SafetensorsCheckpoint(path: "memory", files: [MappedFile(copying: bytes)], config: nil)
  }

  @Test func theBaseIsSound() throws {
    let checkpoint = try Self.open(MalformedSafetensors.sound.bytes())
    #expect(try checkpoint.vector("b") == [5, 6, 7, 8])
    #expect(try checkpoint.matrix("a", columns: 2).elements() == [1, 2, 3, 4])
    #expect(checkpoint.form == .huggingFace)
  }

  @Test(arguments: MalformedSafetensors.all) func isRefused(_ file: MalformedSafetensors) {
    #expect(throws: file.expected) { try Self.open(file.bytes) }
    let text = "\(file.expected)"
    #expect(text.hasPrefix("memory ") && text.hasSuffix("."))
  }

  @Test func everyTruncationIsRefused() {
    let whole = MalformedSafetensors.sound.bytes()
    for length in 0..<whole.count {
      #expect(throws: WeightsError.self) { try Self.open(Array(whole.prefix(length))) }
    }
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5, 6, 7]) func dataNeedNotBeAligned(padding: Int) throws {
    var builder = MalformedSafetensors.sound
    builder.padding = padding
    #expect(try Self.open(builder.bytes()).vector("b") == [5, 6, 7, 8])
  }
}
