import Foundation
import Kernels
import TestSupport
import Testing

import Weights

/// Type ids that name two layouts are told apart by the size of the tensors.
@Suite struct AmbiguousTypeTests {
  private func file(type: UInt32, _ tensors: [(elements: UInt64, bytes: Int)]) throws -> GGUFFile {
    var builder = GGUFBuilder()
    for (index, tensor) in tensors.enumerated() {
      builder.tensors.append(
        .init(
          "w\(index)", [128, tensor.elements / 128], type: type,
          data: Array(repeating: 0, count: tensor.bytes)))
    }
    return try GGUFFile(MappedFile(copying: builder.bytes()))
  }

  private func group(_ file: GGUFFile, _ name: String) throws -> Int? {
    guard case .grouped(_, let group, _, _) = try file.matrix(name).format else { return nil }
    return group
  }

  @Test func theTwoSizesOfQ2_0() throws {
    let upstream = try file(type: 42, [(128 * 16, 576), (128 * 16, 576)])
    #expect(try group(upstream, "w0") == 64)
    #expect(try group(upstream, "w1") == 64)
    let prism = try file(type: 42, [(128 * 16, 544), (128 * 16, 544)])
    #expect(try group(prism, "w0") == 128)
    #expect(try group(prism, "w1") == 128)
  }

  /// 128 weights are 36 or 34 bytes, and 64 with padding: the file's other tensors decide.
  @Test func aSmallTensorFollowsTheOthers() throws {
    let prism = try file(type: 42, [(128, 34), (128 * 16, 544)])
    #expect(try group(prism, "w0") == 128)
    let upstream = try file(type: 42, [(128, 36), (128 * 16, 576)])
    #expect(try group(upstream, "w0") == 64)
    let alone = try file(type: 42, [(128, 36)])
    #expect(try group(alone, "w0") == 64)
  }

  @Test func newPrismType() throws {
    let file = try file(type: 142, [(128 * 16, 544)])
    #expect(try group(file, "w0") == 128)
  }

  @Test func oldPrismSignsOrNVFP4() throws {
    let prism = try file(type: 40, [(128 * 16, 384)])
    let source = try prism.matrix("w0")
    #expect(
      source.format == .grouped(bits: 1, group: 32, scale: .float16, zero: .signs))
    let nvidia = try file(type: 40, [(128 * 16, 1152)])
    #expect(
      throws: WeightsError.unsupported(
        file: "memory", .tensorType(tensor: "w0", id: 40, name: "NVFP4"))
    ) { try nvidia.matrix("w0") }
  }

  /// A tensor of an unknown type is as long as the file lets it be, and nothing computes with it.
  @Test func anUnknownTypeIsRefusedWhenItIsUsed() throws {
    let file = try file(type: 77, [(128, 10), (128, 20)])
    #expect(file.tensors.map(\.typeName) == ["type 77", "type 77"])
    #expect(file.tensors.map(\.bytes.count) == [32, 32])
    #expect(
      throws: WeightsError.unsupported(
        file: "memory", .tensorType(tensor: "w1", id: 77, name: nil))
    ) { try file.matrix("w1") }
  }

  @Test(arguments: [10, 11, 23, 39] as [UInt32]) func knownTypesAreRefusedByName(
    type: UInt32
  ) throws {
    let encoding = try #require(GGUFEncoding.candidates(id: type).first)
    var builder = GGUFBuilder()
    builder.tensors = [
      .init(
        "w", [256, 1], type: type,
        data: Array(repeating: 0, count: 256 / encoding.block * encoding.blockByteCount))
    ]
    let file = try GGUFFile(MappedFile(copying: builder.bytes()))
    #expect(
      throws: WeightsError.unsupported(
        file: "memory", .tensorType(tensor: "w", id: type, name: encoding.name))
    ) { try file.matrix("w") }
  }
}
