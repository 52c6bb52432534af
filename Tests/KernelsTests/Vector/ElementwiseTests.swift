import Foundation
import Kernels
import Testing

@Suite struct ElementwiseTests {
  /// One operation on three rows of a width; returns the target's slab, filler included.
  enum Operation: CaseIterable {
    case add, scale, silu, gelu, sigmoid

    func run(_ compute: Compute, width: Int, _ range: ClosedRange<Float>) -> Slab<Float> {
      let a = FloatRows.random(
        rows: 3, columns: width, stride: width + 3, offset: 1, seed: 6, filler: .nan, range)
      let b = FloatRows.random(
        rows: 3, columns: width, stride: width + 5, offset: 2, seed: 7, filler: .nan)
      let target = FloatRows.random(
        rows: 3, columns: width, stride: width + 1, offset: 3, seed: 8, filler: 77)
      switch self {
      case .add: compute.add(a, to: target)
      case .scale: compute.scale(target, by: 1.7)
      case .silu: compute.siluMultiply(gate: a, up: b, into: target)
      case .gelu: compute.geluTanhMultiply(gate: a, up: b, into: target)
      case .sigmoid: compute.sigmoidMultiply(b, gate: a, into: target)
      }
      return target.slab
    }

    func truth(_ a: Double, _ b: Double, _ target: Double) -> Double {
      switch self {
      case .add: target + a
      case .scale: target * Double(Float(1.7))
      case .silu: a / (1 + exp(-a)) * b
      case .gelu:
        0.5 * a * (1 + tanh((2 / Double.pi).squareRoot() * (a + 0.044715 * a * a * a))) * b
      case .sigmoid: b / (1 + exp(-a))
      }
    }
  }

  @Test(arguments: Operation.allCases)
  func everyWidthIsRightAndStaysInside(operation: Operation) throws {
    let compute = try Compute(threads: 1, instructionSet: .portable)
    for width in 1...70 {
      let slab = operation.run(compute, width: width, -20...20)
      let a = FloatRows.random(rows: 3, columns: width, stride: width + 3, seed: 6, -20...20)
      let b = FloatRows.random(rows: 3, columns: width, stride: width + 5, seed: 7)
      let old = FloatRows.random(rows: 3, columns: width, stride: width + 1, seed: 8)
      var expected = [Double](repeating: 77, count: slab.count)
      for row in 0..<3 {
        for column in 0..<width {
          expected[3 + row * (width + 1) + column] = operation.truth(
            Double(a[row, column]), Double(b[row, column]), Double(old[row, column]))
        }
      }
      for (index, expected) in expected.enumerated() {
        #expect(abs(Double(slab[index]) - expected) <= 1e-6 * max(abs(expected), 1e-3))
      }
    }
  }

  @Test(arguments: Operation.allCases)
  func everySetGivesTheSameBits(operation: Operation) throws {
    let all = try computes()
    for width in 1...70 {
      let range: ClosedRange<Float> = width % 2 == 0 ? -3...3 : -120...120
      let slabs = all.map { operation.run($0, width: width, range) }
      let truth = bitPatterns(slabs[slabs.count - 1].elements(0..<slabs[0].count))
      for slab in slabs {
        #expect(bitPatterns(slab.elements(0..<slab.count)) == truth, "width \(width)")
      }
    }
  }

  @Test func manyRowsOverSeveralThreadsGiveTheSameBits() throws {
    let one = try Compute(threads: 1)
    let three = try Compute(threads: 3)
    let gate = FloatRows.random(rows: 60, columns: 1_001, seed: 9)
    let up = FloatRows.random(rows: 60, columns: 1_001, seed: 10)
    let alone = FloatRows(Slab(count: 60 * 1_001), rows: 60, columns: 1_001)
    let shared = FloatRows(Slab(count: 60 * 1_001), rows: 60, columns: 1_001)
    one.siluMultiply(gate: gate, up: up, into: alone)
    three.siluMultiply(gate: gate, up: up, into: shared)
    #expect(bitPatterns(alone.elements) == bitPatterns(shared.elements))
    one.siluMultiply(gate: gate, up: up, into: gate)
    #expect(bitPatterns(gate.elements) == bitPatterns(alone.elements))
  }

  @Test func theGateMayLieBesideTheQueryOfEachHead() throws {
    // Per head: 5 of the query, then 5 of the gate.
    let both = FloatRows.random(rows: 2, columns: 30, seed: 11)
    let x = FloatRows.random(rows: 2, columns: 15, seed: 12)
    let target = FloatRows(Slab(count: 30), rows: 2, columns: 15)
    for compute in try computes() {
      compute.sigmoidMultiply(
        x, gate: both.columns(5..<30), heads: 3, gateHeadStride: 10, into: target)
      for row in 0..<2 {
        for column in 0..<15 {
          let gate = Double(both[row, column / 5 * 10 + 5 + column % 5])
          let truth = Double(x[row, column]) / (1 + exp(-gate))
          #expect(abs(Double(target[row, column]) - truth) < 1e-6)
        }
      }
    }
  }

  @Test func infinitiesAndNaNPassWithoutATrap() throws {
    let values: [Float] = [.nan, .infinity, -.infinity, 0, -0.0, 3e38, -3e38]
    let gate = FloatRows(Slab(values), rows: 1, columns: values.count)
    let up = FloatRows(Slab([Float](repeating: 1, count: 7)), rows: 1, columns: 7)
    let target = FloatRows(Slab(count: 7), rows: 1, columns: 7)
    for compute in try computes() {
      compute.siluMultiply(gate: gate, up: up, into: target)
      #expect(target[0, 0].isNaN)
      #expect(target[0, 1] == .infinity)
      #expect(target.elements[3...] == [0, 0, 3e38, 0])
      compute.geluTanhMultiply(gate: gate, up: up, into: target)
      #expect(target[0, 0].isNaN)
      #expect(target[0, 1] == .infinity)
    }
  }
}
