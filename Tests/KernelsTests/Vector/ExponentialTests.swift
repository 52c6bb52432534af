import Foundation
import Kernels
import Testing

@Suite struct ExponentialTests {
  @Test func isWithinTwoUnitsOfTheTruth() {
    var noise = Noise(1)
    let x = (0..<100_000).map { _ in noise.float(-87...88.7) } + noise.floats(50_000, -1...1)
    var worst = 0.0
    for (x, y) in zip(x, InstructionSet.best.exponentials(x)) {
      let truth = exp(Double(x))
      worst = max(worst, abs(Double(y) - truth) / Double(Float(truth).ulp))
    }
    #expect(worst < 2, "\(worst) units")
  }

  @Test(arguments: supportedSets)
  func hasTheRightLimits(set: InstructionSet) {
    let x: [Float] = [
      0, -0.0, -.infinity, .infinity, -1e30, 1e30, -104, 89, .nan, -.leastNonzeroMagnitude,
      -103, -95,
    ]
    let y = set.exponentials(x)
    #expect(Array(y[..<8]) == [1, 1, 0, .infinity, 0, .infinity, 0, .infinity])
    #expect(y[8].isNaN)
    #expect(y[9] == 1)
    #expect(y[10] == .leastNonzeroMagnitude)
    #expect(abs(y[11] - Float(exp(-95.0))) <= 2 * .leastNonzeroMagnitude)
  }

  @Test func hasTheSameBitsInEverySet() {
    var noise = Noise(2)
    var x = noise.floats(20_000, -110...95)
    x += (0..<20_000).map { _ in Float(bitPattern: UInt32(truncatingIfNeeded: noise.bits())) }
    x = x.filter { !$0.isNaN }
    let truth = bitPatterns(InstructionSet.portable.exponentials(x))
    for set in supportedSets {
      #expect(bitPatterns(set.exponentials(x)) == truth, "\(set)")
    }
  }
}
