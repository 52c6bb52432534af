import Inference
import Kernels
import Testing

@Suite struct SamplingWeightsTests {
  private static let tables = InstructionSet.allCases.compactMap { try? KernelTable($0) }

  @Test(
    "Every instruction set gives the bits of the plain exponential", arguments: [0.01, 0.7, 1, 3])
  func weightsAreTheSame(temperature: Double) {
    for kernels in Self.tables + [.portable] {
      for count in [1, 2, 7, 8, 9, 63, 64, 1_001] {
        var generator = SplitMix(state: UInt64(count))
        var logits = generator.logits(count, coarse: false).map { min($0, 20) }
        // Where weights become 0: −708 below the largest, and what is on either side of it.
        let edges: [Float] = [-688, Float(-688).nextDown, Float(-688).nextUp, -1e30]
        for (index, logit) in edges.enumerated() where index < count / 4 { logits[index] = logit }
        logits[count / 2] = 20
        var weights = [Double](repeating: -1, count: count)
        var span = weights.mutableSpan
        let total = kernels.samplingWeights(
          logits.span, maximum: 20, temperature: temperature, into: &span)
        var sum = 0.0
        for (logit, weight) in zip(logits, weights) {
          let expected = DeterministicMath.exponential((Double(logit) - 20) / temperature)
          #expect(weight.bitPattern == expected.bitPattern)
          sum += expected
        }
        #expect(total.bitPattern == sum.bitPattern)
      }
    }
  }

  @Test(
    "The estimated total is within its error of the exact one, and the same everywhere",
    arguments: [1e-300, 0.01, 0.7, 1, 3, 1e30])
  func estimatesAreClose(temperature: Double) {
    for count in [1, 2, 7, 8, 9, 63, 64, 1_001, 20_000] {
      var generator = SplitMix(state: UInt64(count))
      var logits = generator.logits(count, coarse: false).map { min($0, 20) }
      if count > 4 { logits[0] = -3e38 }
      logits[count / 2] = 20
      var total = 0.0
      for logit in logits {
        total += DeterministicMath.exponential((Double(logit) - 20) / temperature)
      }
      let tables = Self.tables + [.portable]
      let estimates = tables.compactMap {
        $0.estimatedTotalWeight(logits.span, maximum: 20, temperature: temperature)
      }
      #expect(estimates.count == tables.count)
      #expect(Set(estimates.map(\.bitPattern)).count == 1)
      #expect(abs(estimates[0] - total) <= KernelTable.estimatedTotalWeightError * total)
    }
  }

  @Test("A temperature too small to divide by has no estimate")
  func noEstimateAtTheLeastTemperature() {
    let logits: [Float] = [0, 1]
    let estimate = KernelTable.portable.estimatedTotalWeight(
      logits.span, maximum: 1, temperature: .leastNonzeroMagnitude)
    #expect(estimate == nil)
  }
}
