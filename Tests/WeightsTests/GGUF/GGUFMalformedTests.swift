import Foundation
import TestSupport
import Testing

import Weights

/// A broken file and what must be said about it.
struct MalformedGGUF: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let bytes: [UInt8]
  let expected: WeightsError

  init(
    _ name: String, _ expected: WeightsError, _ change: (inout GGUFBuilder) -> Void
  ) {
    var builder = Self.sound
    change(&builder)
    testDescription = name
    bytes = builder.bytes()
    self.expected = expected
  }

  init(_ name: String, bytes: [UInt8], _ expected: WeightsError) {
    testDescription = name
    self.bytes = bytes
    self.expected = expected
  }

  static var sound: GGUFBuilder {
    var builder = GGUFBuilder()
    builder.set("general.architecture", .string("llama"))
    builder.set("tokens", .strings(["a", "b"]))
    builder.addFloats("norm", [4], [1, 2, 3, 4])
    builder.tensors.append(
      .init("w", [32, 2], type: 2, data: Array(repeating: 0, count: 36)))
    return builder
  }

  static var all: [MalformedGGUF] {
    headers + metadata + tensors + places
  }

  static let headers: [MalformedGGUF] = [
    .init("empty", bytes: [], invalid(.empty)),
    .init(
      "other magic", invalid(.wrongMagic(format: "GGUF", found: Array("PK\u{3}\u{4}".utf8)))
    ) { $0.magic = Array("PK\u{3}\u{4}".utf8) },
    .init("short other magic", bytes: [0x7B], invalid(.wrongMagic(format: "GGUF", found: [0x7B]))),
    .init("version 1", .unsupported(file: "memory", .ggufVersion(1))) { $0.version = 1 },
    .init("version 4", .unsupported(file: "memory", .ggufVersion(4))) { $0.version = 4 },
    .init("big-endian", .unsupported(file: "memory", .bigEndian(version: 3))) {
      $0.version = (3 as UInt32).byteSwapped
    },
    .init("2^63 tensors", invalid(.count(of: "tensors", claimed: 1 << 63, most: 6))) {
      $0.tensorCount = 1 << 63
    },
    .init("2^64 − 1 keys", invalid(.count(of: "metadata keys", claimed: .max, most: 21))) {
      $0.keyCount = .max
    },
  ]

  static let metadata: [MalformedGGUF] = [
    .init("the same key twice", invalid(.duplicate(kind: .key, name: "tokens"))) {
      $0.set("tokens", .uint8(1))
    },
    .init("unknown value type", invalid(.metadata(key: "x", .unknownType(13)))) {
      $0.set("x", .raw(13, [0, 0, 0, 0]))
    },
    .init("unknown element type", invalid(.metadata(key: "x", .unknownType(99)))) {
      $0.set("x", .raw(9, littleEndian(99 as UInt32) + littleEndian(0 as UInt64)))
    },
    .init(
      "array of 2^61 numbers",
      invalid(.count(of: "elements in metadata \"x\"", claimed: 1 << 61, most: 22))
    ) { $0.set("x", .raw(9, littleEndian(10 as UInt32) + littleEndian(1 << 61 as UInt64))) },
    .init(
      "text longer than the file",
      invalid(
        .truncated(
          part: "the value of metadata \"x\"", offset: 138, needed: .max, available: 182))
    ) { $0.set("x", .raw(8, littleEndian(UInt64.max))) },
    .init("arrays nested too deeply", invalid(.metadata(key: "x", .nestedTooDeeply(limit: 8)))) {
      let level = littleEndian(9 as UInt32) + littleEndian(1 as UInt64)
      $0.set("x", .raw(9, (0..<20).flatMap { _ in level }))
    },
    .init("empty key", invalid(.badName(kind: .key, offset: 117, length: 0))) {
      $0.set("", .uint8(0))
    },
    .init(
      "alignment 24",
      invalid(.metadata(key: "general.alignment", .outOfRange("24, no power of two")))
    ) { $0.set("general.alignment", .uint32(24)) },
    .init(
      "alignment 0", invalid(.metadata(key: "general.alignment", .outOfRange("0, no power of two")))
    ) { $0.set("general.alignment", .uint32(0)) },
  ]

  static let tensors: [MalformedGGUF] = [
    .init("the same tensor twice", invalid(.duplicate(kind: .tensor, name: "w"))) {
      $0.tensors.append($0.tensors[1])
    },
    .init(
      "more elements of an unknown type than its bytes can hold",
      invalid(.tensor(name: "w", .size(expected: 4096, found: 64)))
    ) {
      $0.tensors[1].type = 77
      $0.tensors[1].dimensions = [32, 1024]
    },
    .init(
      "an unknown type behind the file",
      invalid(.tensor(name: "w", .size(expected: 8, found: 0)))
    ) {
      $0.tensors[1].type = 77
      $0.tensors[1].offset = 1 << 40
    },
    .init(
      "an unknown type at no multiple of the alignment",
      invalid(.tensor(name: "w", .unaligned(offset: 40, alignment: 32)))
    ) {
      $0.tensors[1].type = 77
      $0.tensors[1].offset = 40
    },
    .init("no dimensions", invalid(.tensor(name: "w", .dimensions(count: 0, most: 4)))) {
      $0.tensors[1].dimensions = []
    },
    .init("five dimensions", invalid(.tensor(name: "w", .dimensions(count: 5, most: 4)))) {
      $0.tensors[1].dimensions = [32, 1, 1, 1, 2]
    },
    .init("a dimension of zero", invalid(.tensor(name: "w", .zeroDimension([32, 0])))) {
      $0.tensors[1].dimensions = [32, 0]
    },
    .init(
      "elements overflow",
      invalid(.tensor(name: "w", .tooManyElements([1 << 32, 1 << 31, 32])))
    ) { $0.tensors[1].dimensions = [1 << 32, 1 << 31, 32] },
    .init("a dimension above Int", invalid(.tensor(name: "w", .tooManyElements([1 << 63])))) {
      $0.tensors[1].dimensions = [1 << 63]
    },
    .init(
      "bytes overflow", invalid(.tensor(name: "norm", .tooManyElements([1 << 62])))
    ) { $0.tensors[0].dimensions = [1 << 62] },
    .init(
      "part of a block",
      invalid(.tensor(name: "w", .partialBlock(columns: 40, block: 32, type: "Q4_0")))
    ) { $0.tensors[1].dimensions = [40, 2] },
  ]

  static let places: [MalformedGGUF] = [
    .init(
      "larger than the file",
      invalid(.tensor(name: "w", .outsideFile(offset: 32, bytes: 18_432, available: 96)))
    ) { $0.tensors[1].dimensions = [32, 1024] },
    .init(
      "offset behind the file",
      invalid(.tensor(name: "w", .outsideFile(offset: 1 << 40, bytes: 36, available: 96)))
    ) { $0.tensors[1].offset = 1 << 40 },
    .init(
      "offset near 2^64",
      invalid(.tensor(name: "w", .outsideFile(offset: .max - 31, bytes: 36, available: 96)))
    ) { $0.tensors[1].offset = .max - 31 },
    .init("unaligned", invalid(.tensor(name: "w", .unaligned(offset: 40, alignment: 32)))) {
      $0.tensors[1].offset = 40
    },
    .init("overlap", invalid(.tensor(name: "w", .overlap(with: "norm", offset: 256)))) {
      $0.tensors[0].dimensions = [16]
    },
    .init("same place", invalid(.tensor(name: "w", .overlap(with: "norm", offset: 224)))) {
      $0.tensors[1].offset = 0
    },
  ]
}

@Suite struct GGUFMalformedTests {
  @Test func theBaseIsSound() throws {
    #expect(throws: Never.self) { try GGUFFileTests.open(MalformedGGUF.sound) }
  }

  @Test(arguments: MalformedGGUF.all) func isRefused(_ file: MalformedGGUF) {
    #expect(throws: file.expected) { try GGUFFile(MappedFile(copying: file.bytes)) }
  }

  @Test(arguments: MalformedGGUF.all) func isExplainedInOneSentence(_ file: MalformedGGUF) {
    let text = "\(file.expected)"
    #expect(text.hasPrefix("memory ") && text.hasSuffix("."))
    #expect(!text.contains("\n"))
  }

  /// Every cut inside the header says how much was missing; every cut in the data names a tensor.
  @Test func everyTruncationIsRefused() throws {
    let whole = MalformedGGUF.sound.bytes()
    let lastTensorEnd = whole.count - 32 + 4
    for length in 0..<whole.count {
      let file = MappedFile(copying: Array(whole.prefix(length)))
      guard length < lastTensorEnd else {
        #expect(throws: Never.self) { try GGUFFile(file) }
        continue
      }
      do {
        _ = try GGUFFile(file)
        Issue.record("\(length) bytes were accepted")
      } catch .invalid(_, let problem) {
        switch problem {
        case .empty, .truncated, .count: break
        case .tensor("w", .outsideFile), .tensor("norm", .outsideFile): break
        default: Issue.record("\(length) bytes: \(problem)")
        }
      } catch {
        Issue.record("\(length) bytes: \(error)")
      }
    }
  }

  @Test func namesAreShownWithoutControlCharacters() {
    let error = WeightsError.unsupported(
      file: "a\u{1B}[31m.gguf", .tensorType(tensor: "w\u{202E}\n\u{9B}1m", id: 5, name: nil))
    #expect(
      "\(error)"
        == "a[31m.gguf holds tensor \"w 1m\" in the unknown type 5: it may need a newer Pipit.")
  }
}
