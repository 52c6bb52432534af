import Foundation
import Kernels
import TestSupport
import Testing
import Weights

/// MLX matrices whose biases follow from their scales are found and stored without biases.
@Suite struct SymmetryTests {
  struct Case: Sendable {
    var bits: Int
    var type: String
    var scales: [Float]
    var biases: [Float]
    var expected: Zero
  }

  static let cases: [Case] = ["F16", "BF16", "F32"].flatMap { type in
    [
      // Bonsai's signs, with a negative, a subnormal (of f16) and a zero scale.
      Case(
        bits: 1, type: type, scales: [2, -0.5, 0x1p-23, 0], biases: [-1, 0.25, -0x1p-24, 0],
        expected: .signs),
      Case(
        bits: 1, type: type, scales: [2, 2, 2, 2], biases: [-1, -1, -1, -1.5], expected: .affine),
      // Bonsai's ternary weights.
      Case(
        bits: 2, type: type, scales: [0.5, -3, 0, 1], biases: [-0.5, 3, 0, -1],
        expected: .symmetric(1)),
      Case(
        bits: 2, type: type, scales: [0.5, 0.5, 0, 1], biases: [-0.5, -0.5, 1, -1],
        expected: .affine),
      Case(
        bits: 3, type: type, scales: [1, 2, 0.5, 4], biases: [-3, -6, -1.5, -12],
        expected: .symmetric(3)),
      Case(
        bits: 8, type: type, scales: [1, 2, 0.5, 4], biases: [-128, -256, -64, -512],
        expected: .symmetric(128)),
      Case(
        bits: 4, type: type, scales: [1, 2, 4, 8], biases: [0, 0, 0, 0], expected: .symmetric(0)),
      // A zero point outside the codes, a fractional one, none at all, and values not finite.
      Case(
        bits: 2, type: type, scales: [1, 1, 1, 1], biases: [-4, -4, -4, -4], expected: .affine),
      Case(
        bits: 4, type: type, scales: [2, 2, 2, 2], biases: [-1, -1, -1, -1], expected: .affine),
      Case(bits: 4, type: type, scales: [0, 0, 0, 0], biases: [0, 0, 0, 0], expected: .affine),
      Case(
        bits: 4, type: type, scales: [1, 1, 1, .infinity], biases: [-8, -8, -8, -.infinity],
        expected: .affine),
      Case(
        bits: 4, type: type, scales: [.nan, 1, 1, 1], biases: [-8, -8, -8, -8], expected: .affine),
    ]
  }

  @Test(arguments: cases) func isDetected(_ item: Case) throws {
    let source = try matrix(item)
    guard case .grouped(let bits, let group, _, let zero) = source.format else {
      Issue.record("\(source.format)")
      return
    }
    #expect(bits == item.bits && group == 32)
    #expect(zero == item.expected)
    guard item.scales.allSatisfy(\.isFinite) else { return }
    let elements = try source.elements()
    for (index, element) in elements.enumerated() {
      let group = index / 32
      #expect(element == item.scales[group] * Float(code(index, item.bits)) + item.biases[group])
    }
  }

  /// Every float16 as a scale, with the right bias and with one bit of it wrong.
  @Test(arguments: [(1, 0.5), (2, 1), (3, 4), (8, 128), (8, 3)] as [(Int, Float)])
  func everyScale(bits: Int, zero: Float) throws {
    var sound: [Float] = [1, 1, 1]
    for pattern in UInt16.min...UInt16.max {
      let scale = Float(Float16(bitPattern: pattern))
      let bias = -zero * scale
      guard scale.isFinite, Float(Float16(bias)) == bias else { continue }
      sound.append(scale)
    }
    let scales = sound.flatMap { littleEndian(Float16($0).bitPattern) }
    let biases = sound.flatMap { littleEndian(Float16(-zero * $0).bitPattern) }
    let expected: Zero = zero == 0.5 ? .signs : .symmetric(Int(zero))
    #expect(try self.zero(bits: bits, scales: scales, biases: biases) == expected)
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<10 {
      let at = Int.random(in: 6..<biases.count, using: &generator)
      var wrong = biases
      wrong[at] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      let isNegativeZero = wrong[at & ~1] == 0 && wrong[at | 1] & 0x7F == 0
      guard !isNegativeZero else { continue }
      #expect(try self.zero(bits: bits, scales: scales, biases: wrong) == .affine)
    }
  }

  private func zero(bits: Int, scales: [UInt8], biases: [UInt8]) throws -> Zero? {
    let rows = scales.count / 2
    var builder = SafetensorsBuilder()
    builder.tensors = [
      .init("m.weight", "U32", [rows, bits], data: Array(repeating: 0, count: rows * bits * 4)),
      .init("m.scales", "F16", [rows, 1], data: scales),
      .init("m.biases", "F16", [rows, 1], data: biases),
    ]
    let checkpoint = try SafetensorsCheckpoint(
      path: "memory", files: [MappedFile(copying: builder.bytes())], config: nil)
    guard case .grouped(_, _, _, let zero) = try checkpoint.matrix("m.weight", columns: 32).format
    else { return nil }
    return zero
  }

  private func code(_ index: Int, _ bits: Int) -> Int { (index * 5 + index / 7) % (1 << bits) }

  private func matrix(_ item: Case) throws -> any RowSource {
    let columns = 128
    var packed = [UInt8](repeating: 0, count: columns * item.bits / 8)
    for index in 0..<columns {
      for bit in 0..<item.bits where code(index, item.bits) >> bit & 1 == 1 {
        packed[(index * item.bits + bit) / 8] |= 1 << UInt8((index * item.bits + bit) % 8)
      }
    }
    var builder = SafetensorsBuilder()
    builder.tensors = [
      .init("m.weight", "U32", [1, columns * item.bits / 32], data: packed),
      .init("m.scales", item.type, [1, 4], data: encode(item.scales, item.type)),
      .init("m.biases", item.type, [1, 4], data: encode(item.biases, item.type)),
    ]
    let checkpoint = try SafetensorsCheckpoint(
      path: "memory", files: [MappedFile(copying: builder.bytes())], config: nil)
    return try checkpoint.matrix("m.weight", columns: columns)
  }

  private func encode(_ values: [Float], _ type: String) -> [UInt8] {
    values.flatMap { value in
      switch type {
      case "F16": littleEndian(Float16(value).bitPattern)
      case "BF16": littleEndian(UInt16(value.bitPattern >> 16))
      default: littleEndian(value.bitPattern)
      }
    }
  }
}
