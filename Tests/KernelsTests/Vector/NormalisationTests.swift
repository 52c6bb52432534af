import Kernels
import Testing

@Suite struct NormalisationTests {
  /// The rule, written out: sixteen partial sums, then +8, +4, +2, +1.
  private func specification(_ x: [Float], _ weight: [Float], _ epsilon: Float) -> [Float] {
    var partial = [Float](repeating: 0, count: 16)
    for (index, element) in x.enumerated() {
      partial[index % 16] += element * element
    }
    for distance in [8, 4, 2, 1] {
      for lane in 0..<distance {
        partial[lane] += partial[lane + distance]
      }
    }
    let factor = 1 / (partial[0] / Float(x.count) + epsilon).squareRoot()
    return zip(x, weight).map { $0 * factor * $1 }
  }

  @Test func everySetFollowsTheRuleToTheBit() throws {
    for compute in try computes() {
      for width in 1...70 {
        let x = FloatRows.random(
          rows: 3, columns: width, stride: width + 2, offset: 3, seed: UInt64(width),
          filler: .nan)
        let weight = Slab(FloatRows.random(rows: 1, columns: width, seed: 13).elements)
        let target = FloatRows.random(
          rows: 3, columns: width, stride: width + 1, offset: 1, seed: 14, filler: 77)
        compute.rmsNorm(x, weight: weight, epsilon: 1e-5, into: target)
        for row in 0..<3 {
          let truth = specification(x.elements(row: row), weight.elements(0..<width), 1e-5)
          #expect(bitPatterns(target.elements(row: row)) == bitPatterns(truth))
        }
        #expect(target.slab[0] == 77 && target.slab[width + 1] == 77)
      }
    }
  }

  @Test func headsAreNormalisedOneByOne() throws {
    // Heads of 6 in 10 columns each, into heads of 6 side by side.
    let x = FloatRows.random(rows: 4, columns: 36, seed: 15)
    let weight = Slab(FloatRows.random(rows: 1, columns: 6, seed: 16).elements)
    let target = FloatRows(Slab(count: 4 * 18), rows: 4, columns: 18)
    for compute in try computes() {
      compute.rmsNorm(x, heads: 3, headStride: 10, weight: weight, epsilon: 1e-6, into: target)
      for row in 0..<4 {
        for head in 0..<3 {
          let truth = specification(
            Array(x.elements(row: row)[head * 10..<head * 10 + 6]), weight.elements(0..<6), 1e-6)
          #expect(Array(target.elements(row: row)[head * 6..<head * 6 + 6]) == truth)
        }
      }
    }
  }
}
