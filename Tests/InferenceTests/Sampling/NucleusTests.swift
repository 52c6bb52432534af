import Inference
import Kernels
import Testing
import Tokenizers

/// What top-p keeps does not depend on the estimate by which it is mostly found.
@Suite struct NucleusTests {
  /// The tokens and weights of a nucleus by definition, from the exact total.
  private static func nucleus(
    of logits: [Float], _ parameters: SamplingParameters
  ) -> [(token: Int, weight: Double)] {
    let maximum = Double(logits.max() ?? 0)
    let weights = logits.map {
      DeterministicMath.exponential((Double($0) - maximum) / parameters.temperature)
    }
    var total = 0.0
    for weight in weights { total += weight }
    var kept: [(token: Int, weight: Double)] = []
    var sum = 0.0
    for token in logits.indices.sorted(by: { (logits[$0], -$0) > (logits[$1], -$1) }) {
      guard sum < parameters.topP * total, weights[token] >= parameters.minP else { break }
      sum += weights[token]
      kept.append((token, weights[token]))
    }
    return kept
  }

  private static func draw(from kept: [(token: Int, weight: Double)], unit: Double) -> TokenID {
    var total = 0.0
    for (_, weight) in kept { total += weight }
    var sum = 0.0
    for (token, weight) in kept {
      sum += weight
      if sum > unit * total { return TokenID(token) }
    }
    return TokenID(kept[0].token)
  }

  private static func check(
    _ logits: [Float], _ parameters: SamplingParameters, steps: Int = 200,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let kept = nucleus(of: logits, parameters)
    var sampler = try Sampler(
      parameters, seed: 7, vocabularyCount: logits.count, contextLength: 8)
    for step in 0..<steps {
      var copy = logits
      var span = copy.mutableSpan
      let token = try sampler.sample(&span, step: step)
      let expected = draw(from: kept, unit: RandomNumbers(seed: 7).unit(at: step))
      #expect(token == expected, sourceLocation: sourceLocation)
    }
  }

  private static func parameters(
    _ temperature: Double, topP: Double, minP: Double = 0
  ) -> SamplingParameters {
    SamplingParameters(
      temperature: temperature, topK: 0, topP: topP, minP: minP, repetitionPenalty: 1)
  }

  @Test(arguments: [0.3, 0.7, 1.5], [0.5, 0.95, 0.999_999_9, 1])
  func tokensAreThoseOfTheExactTotal(temperature: Double, topP: Double) throws {
    for (seed, minP) in [(1, 0), (2, 0.01), (3, 1e-6)] where topP < 1 || minP > 0 {
      var generator = SplitMix(state: UInt64(seed))
      for coarse in [false, true] {
        let logits = generator.logits(5_000, coarse: coarse)
        try Self.check(logits, Self.parameters(temperature, topP: topP, minP: minP))
      }
    }
  }

  @Test(
    "A nucleus that ends at top-p to the bit is found by the exact total", arguments: [300, 64])
  func endsExactlyAtTopP(count: Int) throws {
    let logits = [Float](repeating: 2, count: count)
    for topP in [0.25, 0.5, 0.75] {
      #expect(
        Self.nucleus(of: logits, Self.parameters(1, topP: topP)).count == count * Int(4 * topP) / 4)
      try Self.check(logits, Self.parameters(1, topP: topP), steps: 3_000)
    }
  }

  @Test("One token that has all of the weight", arguments: [0.95, 1])
  func isPeaked(topP: Double) throws {
    var logits = [Float](repeating: -60, count: 1_000)
    logits[500] = 40
    try Self.check(logits, Self.parameters(1, topP: topP, minP: 1e-60))
  }
}
