import Foundation
import Kernels
import TestSupport
import Testing

import Weights

@Suite struct GGUFFileTests {
  static func open(_ builder: GGUFBuilder) throws(WeightsError) -> GGUFFile {
    try GGUFFile(MappedFile(copying: builder.bytes()))
  }

  @Test(arguments: [2, 3] as [UInt32]) func readsMetadataOfEveryType(version: UInt32) throws {
    var builder = GGUFBuilder()
    builder.version = version
    builder.set("u8", .uint8(200))
    builder.set("i8", .int8(-5))
    builder.set("u16", .uint16(60_000))
    builder.set("i16", .int16(-30_000))
    builder.set("u32", .uint32(4_000_000_000))
    builder.set("i32", .int32(-2_000_000_000))
    builder.set("u64", .uint64(1 << 62))
    builder.set("i64", .int64(-1 << 62))
    builder.set("f32", .float32(1.5))
    builder.set("f64", .float64(-2.25))
    builder.set("yes", .bool(1))
    builder.set("no", .bool(0))
    builder.set("text", .string("häuser 🏠"))
    builder.set("texts", .strings(["", "a", "ĠĊ"]))
    builder.set("numbers", .float32s([0.5, -0.5]))
    builder.set("flags", .bools([true, false]))
    builder.set("nested", .nested([.int32s([1, 2]), .strings(["x"])]))
    let metadata = try Self.open(builder).metadata
    #expect(metadata.keys.count == 17)
    let integers = ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64"]
    let expected = [
      200, -5, 60_000, -30_000, 4_000_000_000, -2_000_000_000, 1 << 62, -1 << 62,
    ]
    for (key, value) in zip(integers, expected) { #expect(try metadata.integer(key) == value) }
    #expect(try metadata.number("f32") == 1.5)
    #expect(try metadata.number("f64") == -2.25)
    #expect(try metadata.number("u8") == 200)
    #expect(try metadata.bool("yes") == true)
    #expect(try metadata.bool("no") == false)
    #expect(try metadata.string("text") == "häuser 🏠")
    #expect(try metadata.strings("texts") == ["", "a", "ĠĊ"])
    #expect(try metadata.floats("numbers") == [0.5, -0.5])
    #expect(try metadata.bools("flags") == [true, false])
    let nested = try #require(try metadata.array("nested"))
    #expect(nested.count == 2)
    guard case .array(let inner)? = nested.prefix(9).last else {
      Issue.record("the inner array is missing")
      return
    }
    #expect(try inner.strings() == ["x"])
    #expect(try metadata.integer("absent") == nil)
    #expect(!metadata.contains("absent"))
  }

  @Test func perLayerValuesMayBeOneOrMany() throws {
    var builder = GGUFBuilder()
    builder.set("one", .uint32(4))
    builder.set("many", .int32s([1, 2, 3]))
    let metadata = try Self.open(builder).metadata
    #expect(try metadata.integers("one", perLayer: 3) == [4, 4, 4])
    #expect(try metadata.integers("many", perLayer: 3) == [1, 2, 3])
    #expect(try metadata.integers("absent", perLayer: 3) == nil)
    #expect(throws: invalid(.metadata(key: "many", .length(expected: 2, found: 3)))) {
      try metadata.integers("many", perLayer: 2)
    }
  }

  @Test func textsAreCopiedOutInOrder() throws {
    var builder = GGUFBuilder()
    builder.set("texts", .strings(["", "a", "Ġhäuser", ""]))
    builder.set("numbers", .int32s([1, -2]))
    let metadata = try Self.open(builder).metadata
    var texts = try #require(try metadata.texts("texts"))
    #expect(texts.count == 4)
    let bytes = [UInt8](capacity: texts.byteCount) { bytes in
      for _ in 0..<texts.count { texts.appendNext(to: &bytes) }
    }
    #expect(bytes == Array("aĠhäuser".utf8))
    #expect(try metadata.texts("absent")?.count == nil)
    #expect(try metadata.integers32("numbers") == [1, -2])
    #expect(throws: WeightsError.self) { try metadata.texts("numbers") }
    #expect(throws: WeightsError.self) { try metadata.integers32("texts") }
  }

  @Test func wrongTypesAreRefusedWithTheKey() throws {
    var builder = GGUFBuilder()
    builder.set("text", .string("4"))
    builder.set("big", .uint64(.max))
    builder.set("infinite", .float32(.infinity))
    builder.set(
      "texts",
      .raw(
        9,
        littleEndian(8 as UInt32) + littleEndian(1 as UInt64)
          + littleEndian(2 as UInt64) + [0xC3, 0x28]))
    let metadata = try Self.open(builder).metadata
    #expect(throws: invalid(.metadata(key: "text", .type(expected: "an integer", found: "text")))) {
      try metadata.integer("text")
    }
    #expect(throws: invalid(.metadata(key: "big", .outOfRange("18446744073709551615")))) {
      try metadata.integer("big")
    }
    #expect(throws: invalid(.metadata(key: "infinite", .outOfRange("inf")))) {
      try metadata.number("infinite")
    }
    #expect(throws: invalid(.metadata(key: "texts", .notUTF8(index: 0)))) {
      try metadata.strings("texts")
    }
    #expect(throws: invalid(.metadata(key: "absent", .missing))) {
      try metadata.required("absent", try metadata.integer("absent"))
    }
  }

  @Test func readsTensorsOfOneToFourDimensions() throws {
    var builder = GGUFBuilder()
    builder.addFloats("one", [3], [1, 2, 3])
    builder.addFloats("two", [3, 2], [1, 2, 3, 4, 5, 6])
    builder.addFloats("four", [1, 2, 1, 2], [7, 8, 9, 10])
    let file = try Self.open(builder)
    #expect(file.tensorNames == ["one", "two", "four"])
    #expect(try file.shape("two") == [2, 3])
    #expect(try file.byteCount("two") == 24)
    #expect(file.tensorByteCount == 12 + 24 + 16)
    #expect(try file.vector("one") == [1, 2, 3])
    let two = try file.matrix("two", columns: 3)
    #expect(two.rows == 2 && two.columns == 3)
    #expect(try two.elements() == [1, 2, 3, 4, 5, 6])
    let four = try file.matrix("four")
    #expect(four.rows == 4 && four.columns == 1)
    #expect(throws: invalid(.tensor(name: "two", .shape(expected: "rows of 4", found: [2, 3])))) {
      try file.matrix("two", columns: 4)
    }
    #expect(try file.vector("one", count: 3) == [1, 2, 3])
    #expect(throws: invalid(.tensor(name: "one", .shape(expected: "4 elements", found: [3])))) {
      try file.vector("one", count: 4)
    }
    #expect(throws: invalid(.tensor(name: "three", .missing))) { try file.matrix("three") }
  }

  @Test func valuesThatAreNotFiniteAreRefused() throws {
    var builder = GGUFBuilder()
    builder.addFloats("norm", [4], [1, 2, .nan, 4])
    let file = try Self.open(builder)
    #expect(throws: invalid(.tensor(name: "norm", .nonFinite(index: 2)))) {
      try file.vector("norm")
    }
  }

  @Test(arguments: [1, 8, 64, 4096]) func alignmentIsTheFiles(alignment: Int) throws {
    var builder = GGUFBuilder()
    builder.alignment = alignment
    builder.set("general.alignment", .uint32(UInt32(alignment)))
    builder.addFloats("a", [1], [1])
    builder.addFloats("b", [1], [2])
    let file = try Self.open(builder)
    #expect(try file.vector("a") == [1])
    #expect(try file.vector("b") == [2])
  }

  @Test func theLastTensorNeedsNoPadding() throws {
    var builder = GGUFBuilder()
    builder.addFloats("a", [3], [1, 2, 3])
    let bytes = builder.bytes().dropLast(32 - 12)
    let file = try GGUFFile(MappedFile(copying: Array(bytes)))
    #expect(try file.vector("a") == [1, 2, 3])
  }

  @Test func aFileMayHoldNoTensors() throws {
    let file = try Self.open(GGUFBuilder())
    #expect(file.tensors.isEmpty)
  }
}

/// The error of a file that exists in memory alone.
func invalid(_ problem: FileProblem) -> WeightsError {
  .invalid(file: "memory", problem)
}
