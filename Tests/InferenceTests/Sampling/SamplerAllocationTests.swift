import AllocationCounter
import Inference
import Testing
import Tokenizers

/// Choosing a token allocates nothing.
@Suite(.enabled(if: pipit_thread_allocations() >= 0))
struct SamplerAllocationTests {
  @Test(arguments: SamplerTests.combinations + [.greedy, SamplingParameters()])
  func samplingAllocatesNothing(parameters: SamplingParameters) throws {
    let count = 2_000
    var generator = SplitMix(state: 3)
    let original = generator.logits(count, coarse: false)
    var logits = original
    var sampler = try Sampler(
      parameters, seed: 1, vocabularyCount: count, contextLength: 256)
    sampler.record(prompt: (0..<100).map { TokenID($0) })
    var made = 0
    for step in 0..<50 {
      for index in logits.indices { logits[index] = original[(index + 31 * step) % count] }
      let before = pipit_thread_allocations()
      var span = logits.mutableSpan
      sampler.record(try sampler.sample(&span, step: step))
      made += pipit_thread_allocations() - before
    }
    #expect(made == 0)
  }
}
