import AllocationCounter
import Kernels
import TestSupport
import Testing
import Transformers

/// Reading a token allocates nothing, except memory for a block of keys and values every 64 tokens.
@Suite(.enabled(if: pipit_thread_allocations() >= 0))
struct AllocationTests {
  @Test(arguments: GoldenModel.all, [1, 2])
  func readingATokenAllocatesNothing(model: GoldenModel, threads: Int) throws {
    let loaded = try TestModel(path: model.path, threads: threads)
    let made = try allocations(
      of: loaded, loaded.emptyState(), tokens: 66..<128, model.golden.prompt)
    #expect(made == 0)
  }

  /// The tokens after the first of a block, which quantises the one that has left the tail.
  @Test(arguments: GoldenModel.some)
  func norDoesItWithQuantisedKeysAndValues(model: GoldenModel) throws {
    let loaded = try TestModel(path: model.path)
    let state = loaded.transformer.emptyState(
      context: 512, keysAndValues: .quantised(keys: .eight, values: .four))
    let made = try allocations(of: loaded, state, tokens: 450..<512, model.golden.prompt)
    #expect(made == 0)
  }

  @Test func theCounterCounts() {
    let before = pipit_thread_allocations()
    withExtendedLifetime(Slab<Float>(count: 100)) {}
    #expect(pipit_thread_allocations() - before >= 2)
  }

  /// What the calling thread allocates while a model reads some of the tokens, one by one.
  private func allocations(
    of model: TestModel, _ empty: ModelState, tokens measured: Range<Int>, _ prompt: [Int32]
  ) throws -> Int {
    let workspace = model.workspace(capacity: 1)
    let tokens = (0..<measured.upperBound).map { prompt[$0 % prompt.count] }
    var state = empty
    var made = 0
    for index in tokens.indices {
      let before = pipit_thread_allocations()
      try model.transformer.read(
        tokens[index...index], state: &state, workspace: workspace, backend: .simd, logits: .last
      ) { _, _ in }
      if measured.contains(index) { made += pipit_thread_allocations() - before }
    }
    return made
  }
}
