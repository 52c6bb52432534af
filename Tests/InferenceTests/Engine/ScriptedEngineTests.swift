import Inference
import Testing
import Tokenizers

@Suite struct ScriptedEngineTests {
  private let model = ModelReference(name: "tiny", path: "tiny.gguf")

  private func loaded(_ script: EngineScript) async throws -> ScriptedEngine {
    let engine = ScriptedEngine(script)
    try await engine.load(model, budget: roomy) { _ in }
    return engine
  }

  private let roomy = MemoryBudget(machine: {
    MachineMemory(capacity: 64 * gigabyte, free: 60 * gigabyte)
  })

  private func collect(
    _ engine: ScriptedEngine, _ prompt: [TokenID] = [1, 2, 3],
    _ parameters: GenerationParameters = GenerationParameters()
  ) async throws -> [GenerationEvent] {
    var events: [GenerationEvent] = []
    for try await event in engine.generate(prompt, parameters) { events.append(event) }
    return events
  }

  private func outcome(_ events: [GenerationEvent]) -> Statistics? {
    if case .finished(let statistics)? = events.last { statistics } else { nil }
  }

  @Test func saysItsPieces() async throws {
    let engine = try await loaded(EngineScript(replies: [[.text("Hel"), .text("lo")]]))
    let events = try await collect(engine)
    #expect(
      events.dropLast() == [
        .prefill(done: 3, total: 3), .answer("Hel", [72, 101, 108]), .answer("lo", [108, 111]),
        .answer("", [256]),
      ])
    let statistics = try #require(outcome(events))
    #expect(statistics.stopReason == .endOfTurn)
    #expect(statistics.generatedTokens == 6)
    #expect(statistics.promptTokens == 3)
  }

  @Test func thinksWhenItsPromptSaysSo() async throws {
    let script = EngineScript(
      replies: [[.text("Hm"), .text("</think>"), .text("\n\nYes")]], thinking: .switchable)
    let engine = try await loaded(script)
    let prompt = try engine.prompt(
      PromptRequest(messages: [ChatMessage(.user, "Hi <|im_end|>")], thinking: true))
    #expect(prompt.startsInsideThinking)
    #expect(prompt.tokens.filter { $0 == 256 }.count == 1)
    #expect(try engine.decode(prompt.tokens, skippingControl: false) == prompt.text)
    let events = try await collect(
      engine, prompt.tokens, GenerationParameters(startsInsideThinking: true))
    #expect(events.contains(.reasoning("Hm", [72, 109])))
    #expect(events.contains { $0.text == "Yes" })
    #expect(outcome(events)?.reasoningTokens == 3)
    let fast = try engine.prompt(
      PromptRequest(messages: [ChatMessage(.user, "Hi")], thinking: false))
    #expect(!fast.startsInsideThinking)
    #expect(fast.text.hasSuffix("<think>\n\n</think>\n\n"))
  }

  @Test func reusesTheSharedBeginning() async throws {
    let engine = try await loaded(EngineScript(replies: [[.text("one")], [.text("two")]]))
    let first = ChatMessage(.user, "1")
    let prompt = try engine.prompt(PromptRequest(messages: [first]))
    let events = try await collect(engine, prompt.tokens)
    let history = prompt.tokens + events.flatMap(\.tokens)
    let next = try engine.continuation(
      PromptRequest(
        messages: [first, ChatMessage(.assistant, "one"), ChatMessage(.user, "2")]),
      after: history)
    #expect(next.text == "\n<|im_start|>user\n2<|im_end|>\n<|im_start|>assistant\n")
    let statistics = try #require(
      outcome(try await collect(engine, history + next.tokens)))
    #expect(statistics.reusedTokens == history.count)
    // A reply that was cut gets the end of its turn supplied.
    let cut = try engine.continuation(
      PromptRequest(messages: [first, ChatMessage(.user, "2")]), after: [1, 2])
    #expect(cut.tokens.first == 256)
  }

  @Test func stopsAtLimitsAndStopStrings() async throws {
    let engine = try await loaded(
      EngineScript(replies: [[.text("one "), .text("two "), .text("thrée")]], contextLength: 64))
    let short = try await collect(engine, [1], GenerationParameters(maximumTokens: 6))
    #expect(short.map(\.text).joined() == "one tw")
    #expect(outcome(short)?.stopReason == .length)
    let stopped = try await collect(engine, [1], GenerationParameters(stopStrings: ["o t"]))
    #expect(stopped.map(\.text).joined() == "one tw")
    #expect(outcome(stopped)?.stopReason == .stopString)
    let full = try await collect(engine, Array(repeating: 1, count: 50))
    #expect(outcome(full)?.stopReason == .context)
    await #expect(throws: MemoryRefusal.self) {
      try await collect(engine, Array(repeating: 1, count: 64))
    }
  }

  @Test func cancellingKeepsWhatWasSaid() async throws {
    let engine = try await loaded(
      EngineScript(replies: [[.text("Begun"), .delay(.seconds(600)), .text("never")]]))
    var events: [GenerationEvent] = []
    for try await event in engine.generate([1], GenerationParameters()) {
      events.append(event)
      if event.text == "Begun" { engine.cancel() }
    }
    #expect(events.map(\.text).joined() == "Begun")
    #expect(outcome(events)?.stopReason == .cancelled)
    #expect(engine.calls.last == .cancel)
  }

  @Test func cancellingInThePrompt() async throws {
    let engine = try await loaded(
      EngineScript(replies: [[.text("never")]], prefillDelay: .seconds(600)))
    let stream = engine.generate([1], GenerationParameters())
    engine.cancel()
    var events: [GenerationEvent] = []
    for try await event in stream { events.append(event) }
    #expect(outcome(events)?.stopReason == .cancelled)
    #expect(outcome(events)?.generatedTokens == 0)
  }

  @Test func droppingTheStreamFreesTheEngine() async throws {
    let engine = try await loaded(EngineScript(replies: [[.delay(.seconds(600))], [.text("a")]]))
    for try await _ in engine.generate([1], GenerationParameters()) { break }
    while true {
      do {
        #expect(try await collect(engine).count > 1)
        break
      } catch EngineError.busy {
        await Task.yield()
      }
    }
  }

  @Test func failsAsToldAndAtMisuse() async throws {
    let engine = try await loaded(
      EngineScript(replies: [[.text("a"), .failure(EngineError.busy)]]))
    var events: [GenerationEvent] = []
    await #expect(throws: EngineError.busy) {
      for try await event in engine.generate([1], GenerationParameters()) { events.append(event) }
    }
    #expect(events.map(\.text).joined() == "a")
    await #expect(throws: EngineError.emptyPrompt) { try await collect(engine, []) }
    await engine.unload()
    #expect(engine.loaded == nil && engine.contextLength == 0 && engine.endOfTurn.isEmpty)
    await #expect(throws: EngineError.notLoaded) { try await collect(engine) }
    #expect(throws: EngineError.notLoaded) { try engine.encode("a", matchingControl: true) }
  }

  @Test func aFailedLoadKeepsTheOldModel() async throws {
    var script = EngineScript(replies: [])
    script.loadFailures = ["broken": EngineError.notLoaded]
    script.memory = MemoryPlan(
      fixed: MemoryNeed(anonymousWeights: 5 * gigabyte), layers: [])
    let engine = try await loaded(script)
    await #expect(throws: EngineError.notLoaded) {
      try await engine.load(ModelReference(name: "broken", path: ""), budget: roomy) { _ in }
    }
    let small = MemoryBudget(machine: { MachineMemory(capacity: gigabyte, free: gigabyte) })
    await #expect(throws: MemoryRefusal.self) {
      try await engine.load(ModelReference(name: "big", path: ""), budget: small) { _ in }
    }
    #expect(engine.loaded?.name == "tiny")
    var forced = small
    forced.isForced = true
    try await engine.load(ModelReference(name: "big", path: ""), budget: forced) { _ in }
    #expect(engine.loaded?.name == "big")
    #expect(engine.calls.count == 4)
  }
}
