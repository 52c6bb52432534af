import Foundation
import TestSupport
import Testing

import Weights

@Suite struct GGUFSplitTests {
  private func part(_ number: Int, of count: Int, tensors: Int, total: Int = 3) -> [UInt8] {
    var builder = GGUFBuilder()
    builder.set("split.no", .uint16(UInt16(number)))
    builder.set("split.count", .uint16(UInt16(count)))
    builder.set("split.tensors.count", .int32(Int32(total)))
    for index in 0..<tensors {
      builder.addFloats("p\(number).\(index)", [2], [Float(number), Float(index)])
    }
    return builder.bytes()
  }

  @Test func partsAreOneFile() throws {
    let directory = try ScratchDirectory()
    let first = try directory.write("m-00001-of-00003.gguf", part(0, of: 3, tensors: 0))
    try directory.write("m-00002-of-00003.gguf", part(1, of: 3, tensors: 2))
    try directory.write("m-00003-of-00003.gguf", part(2, of: 3, tensors: 1))
    let file = try GGUFFile(path: first)
    #expect(file.tensorNames == ["p1.0", "p1.1", "p2.0"])
    #expect(file.files.count == 3)
    #expect(try file.vector("p2.0") == [2, 0])
  }

  @Test func aMissingPartIsNamed() throws {
    let directory = try ScratchDirectory()
    let first = try directory.write("m-00001-of-00002.gguf", part(0, of: 2, tensors: 3))
    let second = directory.path + "/m-00002-of-00002.gguf"
    #expect(throws: WeightsError.invalid(file: first, .split(.partMissing(second)))) {
      try GGUFFile(path: first)
    }
  }

  @Test func anotherPartThanTheFirstIsRefused() throws {
    let directory = try ScratchDirectory()
    let second = try directory.write("m-00002-of-00002.gguf", part(1, of: 2, tensors: 3))
    let first = directory.path + "/m-00001-of-00002.gguf"
    #expect(
      throws: WeightsError.invalid(
        file: second, .split(.notFirst(number: 2, count: 2, first: first)))
    ) { try GGUFFile(path: second) }
  }

  @Test func aRenamedPartIsRefused() throws {
    let directory = try ScratchDirectory()
    let path = try directory.write("model.gguf", part(0, of: 2, tensors: 3))
    #expect(throws: WeightsError.invalid(file: path, .split(.name(count: 2)))) {
      try GGUFFile(path: path)
    }
  }

  @Test func partsOfDifferentSetsAreRefused() throws {
    let directory = try ScratchDirectory()
    let first = try directory.write("m-00001-of-00002.gguf", part(0, of: 2, tensors: 2))
    let second = try directory.write("m-00002-of-00002.gguf", part(0, of: 5, tensors: 1))
    #expect(
      throws: WeightsError.invalid(
        file: first, .split(.partMismatch(part: second, number: 1, count: 5)))
    ) { try GGUFFile(path: first) }
    try directory.write("m-00002-of-00002.gguf", part(1, of: 2, tensors: 2))
    #expect(
      throws: WeightsError.invalid(file: first, .split(.tensorCount(expected: 3, found: 4)))
    ) { try GGUFFile(path: first) }
  }
}
