import Conversion
import Foundation
import Kernels
import Testing
import TestSupport
import Weights

/// `mx.quantize` of one matrix of hard rows, at every width, group and type.
@Suite struct GridTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let type: ScaleType
    let bits: Int
    let group: Int
    var testDescription: String { "\(type) \(bits) bits, groups of \(group)" }
  }

  static let cases = [ScaleType.float32, .float16, .bfloat16].flatMap { type in
    WeightForm.widths.sorted().flatMap { bits in
      WeightForm.groups.sorted().map { Case(type: type, bits: bits, group: $0) }
    }
  }

  @Test(arguments: cases) func equalsMLX(_ example: Case) throws {
    let file = try SafetensorsCheckpoint(path: fixtures.path("grid/grid.safetensors"))
    let name = "\(example.type)"
    let matrix = try file.matrix("\(name).weights")
    let weights = try matrix.elements()
    let quantiser = RowQuantiser(
      .affine(bits: example.bits, group: example.group), type: example.type)
    var parts: [[UInt8]] = [[], [], []]
    for row in 0..<matrix.rows {
      let numbers = Array(weights[row * matrix.columns..<(row + 1) * matrix.columns])
      var codes = [UInt8](repeating: 0, count: matrix.columns / 8 * example.bits)
      var scales = [UInt8](
        repeating: 0, count: matrix.columns / example.group * example.type.byteCount)
      var biases = scales
      var codeSpan = codes.mutableSpan
      var scaleSpan = scales.mutableSpan
      var biasSpan = biases.mutableSpan
      try quantiser.quantise(
        numbers.span, codes: &codeSpan, scales: &scaleSpan, biases: &biasSpan)
      for (index, part) in [codes, scales, biases].enumerated() { parts[index] += part }
    }
    for (part, found) in zip(["codes", "scales", "biases"], parts) {
      let tensor = try file.tensor("\(name).\(example.bits).\(example.group).\(part)")
      let expected = tensor.bytes.array
      let first = zip(found, expected).enumerated().first { $0.element.0 != $0.element.1 }
      #expect(
        found == expected,
        "\(part): byte \(first?.offset ?? -1) of \(expected.count), \(tensor.shape)")
    }
  }

  @Test func groupsThatCannotBeQuantisedSaySo() {
    #expect(problem([1, .infinity], .affine(bits: 4, group: 32)) == .notFinite(group: 0))
    #expect(problem([1, .nan], .affine(bits: 4, group: 32)) == .notFinite(group: 0))
    #expect(
      problem([.greatestFiniteMagnitude, -.greatestFiniteMagnitude], .affine(bits: 4, group: 32))
        == .overflow(group: 0))
    #expect(problem([1, -1, 0], .ternary(group: 32)) == nil)
    #expect(
      problem([1, -0.5], .ternary(group: 32)) == .notTernary(group: 0, size: 1, other: -0.5))
  }

  private func problem(_ first: [Float], _ form: WeightForm) -> GroupProblem? {
    let numbers = first + Array(repeating: 0, count: 32 - first.count)
    var codes = [UInt8](repeating: 0, count: 32)
    var scales = [UInt8](repeating: 0, count: 4)
    var biases = scales
    var codeSpan = codes.mutableSpan
    var scaleSpan = scales.mutableSpan
    var biasSpan = biases.mutableSpan
    do throws(GroupProblem) {
      try RowQuantiser(form, type: .float32).quantise(
        numbers.span, codes: &codeSpan, scales: &scaleSpan, biases: &biasSpan)
      return nil
    } catch {
      return error
    }
  }
}
