import Inference
import Testing
import Tokenizers

@Suite struct SamplerTests {
  static let combinations: [SamplingParameters] = {
    var all: [SamplingParameters] = []
    for temperature in [0.3, 1, 2] {
      for topK in [0, 1, 7, 5000] {
        for topP in [0.05, 0.9, 1] {
          for minP in [0, 0.1, 1] {
            all.append(
              SamplingParameters(
                temperature: temperature, topK: topK, topP: topP, minP: minP,
                repetitionPenalty: topK == 7 ? 1.2 : 1,
                presencePenalty: topP == 1 ? 0.5 : 0, frequencyPenalty: minP == 0 ? 0.25 : 0))
          }
        }
      }
    }
    return all
  }()

  @Test("Agrees with a plain implementation that sorts", arguments: combinations)
  func agreesWithReference(parameters: SamplingParameters) throws {
    var generator = SplitMix(state: 11)
    for count in [1, 2, 63, 65, 300] {
      let original = generator.logits(count, coarse: count == 65)
      var sampler = try Sampler(
        parameters, seed: 5, vocabularyCount: count, contextLength: 64)
      var reference = ReferenceSampler(parameters, seed: 5, vocabularyCount: count)
      let prompt = (0..<5).map { TokenID($0 * 3 % count) }
      sampler.record(prompt: prompt)
      reference.prompt = prompt
      for step in 0..<6 {
        // Two rows of padding, likelier than anything, must never be chosen.
        var logits = original + [100, 100]
        var span = logits.mutableSpan
        let token = try sampler.sample(&span, step: step)
        #expect(token == reference.sample(original, step: step))
        sampler.record(token)
        reference.reply.append(token)
      }
    }
  }

  @Test func greedyTakesLowestOfEquals() throws {
    var sampler = try Sampler(.greedy, seed: 0, vocabularyCount: 200, contextLength: 8)
    var logits = [Float](repeating: -1, count: 200)
    for index in [70, 131, 199] { logits[index] = 2 }
    var span = logits.mutableSpan
    #expect(try sampler.sample(&span, step: 0) == 70)
    #expect(try Sampler.likeliest([-3, -1, -1].span, step: 0) == 1)
    #expect(try Sampler.likeliest([-Float.greatestFiniteMagnitude].span, step: 0) == 0)
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity, -.nan], [0, 63, 64, 150])
  func refusesNonFinite(value: Float, index: Int) throws {
    for parameters in [SamplingParameters(), .greedy, .neutral] {
      var sampler = try Sampler(parameters, seed: 0, vocabularyCount: 151, contextLength: 8)
      var logits = [Float](repeating: 0.5, count: 151)
      logits[index] = value
      #expect(throws: EngineError.nonFiniteLogit(token: index, step: 3)) {
        var span = logits.mutableSpan
        _ = try sampler.sample(&span, step: 3)
      }
    }
  }

  @Test func paddingMayBeAnything() throws {
    var sampler = try Sampler(.greedy, seed: 0, vocabularyCount: 2, contextLength: 8)
    var logits: [Float] = [0, 1, .nan, .infinity]
    var span = logits.mutableSpan
    #expect(try sampler.sample(&span, step: 0) == 1)
  }

  @Test("The same seed and step draw the same, in any order of steps")
  func isAFunctionOfSeedAndStep() throws {
    var generator = SplitMix(state: 3)
    let logits = generator.logits(500)
    func draw(_ steps: [Int], seed: UInt64) throws -> [Int: TokenID] {
      var sampler = try Sampler(.neutral, seed: seed, vocabularyCount: 500, contextLength: 8)
      var drawn: [Int: TokenID] = [:]
      for step in steps {
        var copy = logits
        var span = copy.mutableSpan
        drawn[step] = try sampler.sample(&span, step: step)
      }
      return drawn
    }
    let forward = try draw(Array(0..<50), seed: 9)
    #expect(try draw((0..<50).reversed(), seed: 9) == forward)
    #expect(try draw(Array(0..<50), seed: 10) != forward)
  }

  @Test func drawsFollowTheProbabilities() throws {
    let probabilities = [0.5, 0.3, 0.15, 0.05]
    let logits: [Float] = [0, -0.5108256, -1.2039728, -2.3025851]
    for parameters in [
      SamplingParameters.neutral,
      SamplingParameters(temperature: 1, topK: 4, topP: 1, repetitionPenalty: 1),
      SamplingParameters(temperature: 1, topK: 0, topP: 0.9999, repetitionPenalty: 1),
    ] {
      var sampler = try Sampler(parameters, seed: 1, vocabularyCount: 4, contextLength: 8)
      var tally = [0, 0, 0, 0]
      for step in 0..<20_000 {
        var copy = logits
        var span = copy.mutableSpan
        tally[Int(try sampler.sample(&span, step: step))] += 1
      }
      for (count, probability) in zip(tally, probabilities) {
        // Five standard deviations of a binomial.
        let deviation = (20_000 * probability * (1 - probability)).squareRoot()
        #expect(abs(Double(count) - 20_000 * probability) < 5 * deviation)
      }
    }
  }

  @Test func repetitionPenaltyCoversThePromptAndOthersOnlyTheReply() throws {
    var parameters = SamplingParameters.greedy
    parameters.repetitionPenalty = 2
    parameters.presencePenalty = 1
    parameters.frequencyPenalty = 0.5
    var sampler = try Sampler(parameters, seed: 0, vocabularyCount: 4, contextLength: 8)
    sampler.record(prompt: [0, 0, 2, 99, -1])
    sampler.record(1)
    sampler.record(1)
    sampler.record(2)
    var logits: [Float] = [4, 4, -4, 4]
    var span = logits.mutableSpan
    _ = try sampler.sample(&span, step: 0)
    // The second: 4 / 2, less 1 once and 0.5 twice.
    #expect(logits == [2, 0, -9.5, 4])
  }

  @Test func extremePenaltiesStayFinite() throws {
    var parameters = SamplingParameters.neutral
    parameters.repetitionPenalty = 1e-300
    var sampler = try Sampler(parameters, seed: 0, vocabularyCount: 3, contextLength: 8)
    sampler.record(prompt: [1])
    var logits: [Float] = [5, 5, 5]
    var span = logits.mutableSpan
    #expect(try sampler.sample(&span, step: 0) == 1)
  }

  @Test func tinyTemperatureIsGreedy() throws {
    let parameters = SamplingParameters(temperature: 1e-300, repetitionPenalty: 1)
    var sampler = try Sampler(parameters, seed: 0, vocabularyCount: 3, contextLength: 8)
    var logits: [Float] = [5, 5.5, 5]
    var span = logits.mutableSpan
    #expect(try sampler.sample(&span, step: 0) == 1)
  }
}
