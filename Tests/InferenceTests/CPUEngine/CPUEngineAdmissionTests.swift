import Inference
import Synchronization
import TestSupport
import Testing
import Weights

/// What the engine asks of memory before it takes any.
@Suite struct CPUEngineAdmissionTests {
  private let machine = InventedConditions()

  /// Sets what is free so that `available` bytes remain beside slack.
  private func leave(_ available: Int) {
    let slack = MemorySlack.bytes(of: .init(.machine, capacity: 8 * gigabyte, free: 0))
    machine.state.withLock { $0.free = slack + available }
  }

  private func load(_ kind: StateKind, context: Int? = 512) async throws -> CPUEngine {
    let engine = CPUEngine(conditions: machine.conditions)
    try await engine.load(
      ModelReference(
        name: kind.rawValue, path: kind.path,
        options: ModelOptions(contextLength: context, threads: 2)),
      budget: machine.budget, progress: { _ in })
    return engine
  }

  /// Snapshots, which only spare time, get what is left: they keep no context from being loaded.
  @Test(arguments: StateKind.allCases)
  func whatFitsIsLoaded(kind: StateKind) async throws {
    let estimate = try ModelEstimate(
      path: kind.path, options: ModelOptions(contextLength: 512, threads: 2))
    let need = estimate.plan.need(positions: 512).total
    leave(need)
    let engine = try await load(kind)
    #expect(engine.contextLength == 512)
    #expect(
      FitVerdict(estimate.plan, positions: 512, modelLength: 512, on: machine.memory)
        == .tight(largestContext: 512))
    // Far less is refused, so the need is what decides.
    leave(need / 2)
    await #expect(throws: MemoryRefusal.self) { try await load(kind) }
  }

  /// A limit on the address space is met by mapping alone: it is looked at before that.
  @Test func filesAreMappedOnlyWhereThereIsAddressSpace() async throws {
    let path = StateKind.dense.path
    func budget(_ free: Int) -> MemoryBudget {
      MemoryBudget(machine: {
        MachineMemory(limits: [MemoryLimit(.addressSpace, capacity: 2 * gigabyte, free: free)])
      })
    }
    let reference = ModelReference(
      name: "m", path: path, options: ModelOptions(contextLength: 512, threads: 1))
    let engine = CPUEngine()
    await #expect {
      try await engine.load(reference, budget: budget(129_000_000)) { _ in }
    } throws: {
      guard case MemoryRefusal.addressSpace(let shortage) = $0 else { return false }
      let size = FileIdentity(path: path).map { Int($0.size) } ?? 0
      return shortage.available == 1_000_000 && shortage.needed > size && size > 0
    }
    try await engine.load(reference, budget: budget(gigabyte)) { _ in }
  }

  /// Nobody asked for the end of the context, as somebody did for a number of tokens.
  @Test func theEndOfTheContextIsAReasonOfItsOwn() async throws {
    leave(gigabyte)
    let engine = try await load(.dense, context: 96)
    for (limit, reason) in [(nil, StopReason.context), (8, .length)] as [(Int?, StopReason)] {
      let parameters = GenerationParameters(
        maximumTokens: limit, stopsLoops: false, ignoresEndOfTurn: true)
      var end: Statistics?
      for try await event in engine.generate(Array(repeating: 5, count: 40), parameters) {
        if case .finished(let statistics) = event { end = statistics }
      }
      #expect(end?.stopReason == reason)
      #expect(end?.generatedTokens == limit ?? 56)
    }
    let length = try #require(engine.loaded?.contextLength)
    await #expect(
      throws: MemoryRefusal.modelContext(asked: length + 1, modelContextLength: length)
    ) { try await load(.dense, context: length + 1) }
  }

  /// Logits and surprisals have a state of their own beside the one that prompts are read into.
  @Test func whatIsComputedBesideTheChatIsAdmittedToo() async throws {
    let engine = try await load(.dense)
    let tokens = Array(repeating: Int32(5), count: 400)
    leave(1000)
    await #expect(throws: MemoryRefusal.self) {
      try await engine.logits(of: tokens, chunk: nil) { _ in }
    }
    await #expect(throws: MemoryRefusal.self) {
      _ = try await engine.surprisals(of: tokens, after: 200)
    }
    #expect(try await engine.measureReadBandwidth() == nil)
    leave(gigabyte)
    try await engine.logits(of: tokens, chunk: nil) { _ in }
    #expect(try await engine.surprisals(of: tokens, after: 200).count == 199)
  }

  /// A chunk that the model's own buffers are too small for needs others.
  @Test func aLargeChunkIsPaidFor() async throws {
    let engine = try await load(.dense)
    let tokens = Array(repeating: Int32(5), count: 400)
    leave(2_000_000)
    try await engine.logits(of: tokens, chunk: 64) { _ in }
    await #expect(throws: MemoryRefusal.self) {
      try await engine.logits(of: tokens, chunk: 400) { _ in }
    }
  }
}
