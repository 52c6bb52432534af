import Inference
import Synchronization
import TestSupport
import Testing
import Tokenizers

/// The engine beside a machine that runs short of something.
@Suite struct CPUEngineWatchTests {
  private let machine = InventedConditions()

  /// An engine with the small model; time passes for it whenever it looks, and then `onLook` is called
  /// with how often it has looked.
  private func engine(
    budget: MemoryBudget? = nil, onLook: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws -> CPUEngine {
    let looks = Mutex(0)
    var conditions = machine.conditions
    conditions.now = { [machine] in
      machine.pass(.milliseconds(100))
      onLook(
        looks.withLock {
          $0 += 1
          return $0
        })
      return machine.state.withLock { $0.time }
    }
    let engine = CPUEngine(conditions: conditions)
    try await engine.load(
      ModelReference(
        name: "small", path: StateKind.dense.path,
        options: ModelOptions(contextLength: 1024, threads: 2)),
      budget: budget ?? machine.budget, progress: { _ in })
    return engine
  }

  private struct Reply {
    var tokens: [TokenID] = []
    var statistics = Statistics()
  }

  private func generate(
    _ engine: CPUEngine, _ prompt: [TokenID], tokens: Int = 32
  ) async throws -> Reply {
    var reply = Reply()
    let parameters = GenerationParameters(
      maximumTokens: tokens, sampling: .greedy, stopsLoops: false, ignoresEndOfTurn: true)
    for try await event in engine.generate(prompt, parameters) {
      switch event {
      case .prefill: break
      case .reasoning(_, let tokens), .answer(_, let tokens), .toolCall(_, let tokens):
        reply.tokens += tokens
      case .finished(let statistics): reply.statistics = statistics
      }
    }
    return reply
  }

  private func prompt(_ count: Int) -> [TokenID] {
    var generator = SeededGenerator(seed: 3)
    return SmallModel.tokens(count, using: &generator)
  }

  @Test func memoryThatRunsShortInDecodeKeepsTheReply() async throws {
    let whole = try await generate(try await engine(), prompt(40))
    #expect(whole.tokens.count == 32)
    #expect(whole.statistics.stopReason == .length)
    let engine = try await engine(onLook: { [machine] count in
      if count == 20 { machine.state.withLock { $0.free = 10_000_000 } }
    })
    let cut = try await generate(engine, prompt(40))
    #expect(cut.statistics.stopReason == .memory)
    #expect(cut.statistics.stopNote?.contains("10.0 MB is left") == true)
    #expect(cut.tokens.count > 8 && cut.tokens.count < 32)
    #expect(whole.tokens.starts(with: cut.tokens))
    #expect(cut.statistics.generatedTokens == cut.tokens.count)
    // With memory there again, the engine goes on as before.
    machine.state.withLock { $0.free = 4 * gigabyte }
    #expect(try await generate(engine, prompt(40)).tokens == whole.tokens)
  }

  @Test func memoryThatRunsShortInPrefillStops() async throws {
    let engine = try await engine(onLook: { [machine] count in
      if count == 2 { machine.state.withLock { $0.free = 10_000_000 } }
    })
    let cut = try await generate(engine, prompt(1000), tokens: 8)
    #expect(cut.statistics.stopReason == .memory)
    #expect(cut.tokens.isEmpty)
  }

  @Test func heatStopsWithTheReplyKept() async throws {
    machine.addZone(degrees: 50)
    let whole = try await generate(try await engine(), prompt(40))
    let engine = try await engine(onLook: { [machine] count in
      if count == 20 { machine.addZone(degrees: 99) }
    })
    let cut = try await generate(engine, prompt(40))
    #expect(cut.statistics.stopReason == .heat)
    #expect(cut.statistics.stopNote?.contains("x86_pkg_temp at 99 °C") == true)
    #expect(cut.tokens.count > 8 && cut.tokens.count < 32)
    #expect(whole.tokens.starts(with: cut.tokens))
    #expect(machine.state.withLock { $0.rested } == .seconds(30))
  }

  @Test func aPromptThatWouldNotFitIsRefusedBeforeItsFirstChunk() async throws {
    let engine = try await engine()
    // Nothing but slack.
    machine.state.withLock { $0.free = 200_000_000 }
    let events = Collected<GenerationEvent>()
    let shortage = await #expect(throws: MemoryRefusal.self) {
      for try await event in engine.generate(
        prompt(600), GenerationParameters(maximumTokens: 300))
      {
        events.append(event)
      }
    }
    #expect(events.all.isEmpty)
    guard case .memory(let figures)? = shortage else {
      Issue.record("\(String(describing: shortage))")
      return
    }
    #expect(figures.available == 0 && figures.needed > 0)
    #expect(figures.contextLength == 900)
    #expect((figures.largestContext ?? 0) < 900)
  }

  @Test func forcedPromptsAreReadAndSaidToBe() async throws {
    let warnings = Collected<MachineWarning>()
    var budget = machine.budget
    budget.isForced = true
    budget.warn = { warnings.append($0) }
    let engine = try await engine(budget: budget)
    #expect(warnings.all.isEmpty)
    machine.state.withLock { $0.free = 200_000_000 }
    let reply = try await generate(engine, prompt(600), tokens: 300)
    #expect(reply.tokens.count == 300)
    guard case .forced(.memory)? = warnings.all.first else {
      Issue.record("\(warnings.all)")
      return
    }
  }

  @Test func theEstimateIsBesideTheFootprint() async throws {
    let reply = try await generate(try await engine(), prompt(40))
    #expect((reply.statistics.estimatedPeak ?? 0) > 20_000_000)
    #expect((reply.statistics.footprint.proportional ?? 0) > 0)
  }
}
