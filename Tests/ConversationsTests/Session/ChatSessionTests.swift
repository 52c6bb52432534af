import Conversations
import Inference
import Synchronization
import Testing

@Suite struct ChatSessionTests {
  private func makeSession(
    _ script: EngineScript, _ settings: ChatSettings = ChatSettings()
  ) async throws -> (ChatSession, ScriptedEngine) {
    let engine = ScriptedEngine(script)
    try await engine.load(
      ModelReference(name: "m", path: ""), budget: MemoryBudget(), progress: { _ in })
    return (ChatSession(engine: engine, settings: settings), engine)
  }

  /// The prompts that the engine was given, as text.
  private func prompts(_ engine: ScriptedEngine) throws -> [String] {
    try engine.calls.compactMap { call in
      guard case .generate(let tokens, _) = call else { return nil }
      return try engine.decode(tokens, skippingControl: false)
    }
  }

  @Test func aTurnFeedsOnlyItsOwnTokens() async throws {
    let (session, engine) = try await makeSession(
      EngineScript(replies: [[.text("one")], [.text("two")]]))
    let first = try await session.send("a") { _ in }
    let second = try await session.send("b") { _ in }
    #expect(second.statistics.reusedTokens == first.statistics.promptTokens + 4)
    #expect(second.statistics.reuseNote == nil)
    #expect(
      try prompts(engine).last == """
        <|im_start|>user
        a<|im_end|>
        <|im_start|>assistant
        one<|im_end|>
        <|im_start|>user
        b<|im_end|>
        <|im_start|>assistant

        """)
    #expect(await session.tree.path.map(\.message.content) == ["a", "one", "b", "two"])
  }

  @Test func theEndOfAStoppedTurnIsSupplied() async throws {
    let (session, engine) = try await makeSession(
      EngineScript(replies: [[.text("half"), .delay(.seconds(600))], [.text("two")]]))
    let turn = try await session.send("a") { event in
      if case .answer = event { session.stop() }
    }
    #expect(turn.statistics.stopReason == .cancelled)
    #expect(turn.reply.content == "half")
    _ = try await session.send("b") { _ in }
    #expect(try prompts(engine).last?.contains("half<|im_end|>\n<|im_start|>user\nb") == true)
  }

  @Test func aTurnStoppedInItsPromptIsReplacedByTheNext() async throws {
    let (session, engine) = try await makeSession(
      EngineScript(replies: [[.text("one")]], prefillDelay: .milliseconds(5)))
    let turn = try await session.send(String(repeating: "long ", count: 100)) { event in
      if case .prefill = event { session.stop() }
    }
    #expect(turn.statistics.stopReason == .cancelled)
    #expect(await session.tree.leaf?.message.role == .user)
    _ = try await session.send("short") { _ in }
    #expect(try prompts(engine).last?.contains("long") == false)
    #expect(await session.tree.path.map(\.message.content) == ["short", "one"])
  }

  @Test func aStopBeforeTheEngineBeginsIsNotLost() async throws {
    let (session, _) = try await makeSession(
      EngineScript(replies: [[.delay(.seconds(600)), .text("never")]]))
    session.stop()
    let turn = try await session.send("a") { _ in }
    #expect(turn.statistics.stopReason == .cancelled)
  }

  @Test func regeneratingMakesASibling() async throws {
    let (session, engine) = try await makeSession(
      EngineScript(replies: [[.text("one")], [.text("two")], [.text("three")]]))
    await #expect(throws: ChatSessionError.nothingToRegenerate) {
      try await session.regenerate { _ in }
    }
    _ = try await session.send("a") { _ in }
    _ = try await session.regenerate { _ in }
    let prompts = try prompts(engine)
    #expect(prompts[0] == prompts[1])
    #expect(await session.tree.path.map(\.message.content) == ["a", "two"])
    #expect(await session.tree.nodes.count == 3)
    _ = try await session.send("b") { _ in }
    #expect(try self.prompts(engine).last?.contains("two<|im_end|>") == true)
  }

  @Test func aNewSystemPromptReadsTheConversationAnew() async throws {
    let (session, engine) = try await makeSession(
      EngineScript(replies: [[.text("one")]]), ChatSettings(system: "S1"))
    _ = try await session.send("a") { _ in }
    await session.setSystem("S1")
    let same = try await session.send("b") { _ in }
    #expect(same.statistics.reuseNote == nil)
    await session.setSystem("S2")
    let changed = try await session.send("c") { _ in }
    #expect(changed.statistics.reuseNote == "the system prompt has changed")
    let prompt = try prompts(engine).last ?? ""
    #expect(prompt.hasPrefix("<|im_start|>system\nS2<|im_end|>\n<|im_start|>user\na"))
    #expect(prompt.contains("assistant\none<|im_end|>\n<|im_start|>user\nb"))
    let after = try await session.send("d") { _ in }
    #expect(after.statistics.reuseNote == nil)
  }

  @Test func anotherModelReadsTheConversationAnewAndAFailedOneChangesNothing() async throws {
    let (session, engine) = try await makeSession(
      EngineScript(replies: [[.text("one")]], loadFailures: ["bad": EngineError.busy]))
    _ = try await session.send("a") { _ in }
    await #expect(throws: EngineError.busy) {
      try await session.loadModel(
        ModelReference(name: "bad", path: ""), budget: MemoryBudget(), progress: { _ in })
    }
    #expect(engine.loaded?.name == "m")
    let kept = try await session.send("b") { _ in }
    #expect(kept.statistics.reuseNote == nil)
    _ = try await session.loadModel(
      ModelReference(name: "good", path: ""), budget: MemoryBudget(), progress: { _ in })
    let turn = try await session.send("c") { _ in }
    #expect(turn.statistics.reuseNote == "the model has changed")
  }

  @Test func thinkingIsOffUntilAskedFor() async throws {
    let (session, engine) = try await makeSession(
      EngineScript(
        replies: [[.text("fast")], [.text("Hm.</think>\n\nslow")]], thinking: .switchable))
    _ = try await session.send("a") { _ in }
    await session.setThinking(true)
    let turn = try await session.send("b") { _ in }
    #expect(turn.reply.reasoning == "Hm.")
    #expect(turn.reply.content == "slow")
    let prompts = try prompts(engine)
    #expect(prompts[0].hasSuffix("<think>\n\n</think>\n\n"))
    #expect(prompts[1].hasSuffix("assistant\n<think>\n"))
    #expect(prompts[1].hasPrefix(prompts[0]))
  }

  @Test func aTurnThatFailsBeforeItsFirstTokenLeavesNoTrace() async throws {
    let (session, _) = try await makeSession(
      EngineScript(replies: [[.text("one")]], contextLength: 64))
    await #expect(throws: MemoryRefusal.self) {
      try await session.send(String(repeating: "x", count: 100)) { _ in }
    }
    #expect(await session.tree.leafID == nil)
    let turn = try await session.send("a") { _ in }
    #expect(turn.reply.content == "one")
  }

  @Test func aTurnThatFailsLaterKeepsWhatWasSaid() async throws {
    let (session, engine) = try await makeSession(
      EngineScript(replies: [[.text("half"), .failure(EngineError.busy)], [.text("two")]]))
    await #expect(throws: EngineError.busy) { try await session.send("a") { _ in } }
    #expect(await session.tree.path.map(\.message.content) == ["a", "half"])
    _ = try await session.send("b") { _ in }
    #expect(try prompts(engine).last?.contains("half<|im_end|>") == true)
  }

  @Test func aListenerThatThrowsStopsTheEngine() async throws {
    struct Full: Error {}
    let (session, engine) = try await makeSession(
      EngineScript(replies: [[.text("a"), .delay(.seconds(600)), .text("b")], [.text("two")]]))
    await #expect(throws: Full.self) {
      try await session.send("a") { event in
        if case .answer = event { throw Full() }
      }
    }
    #expect(engine.calls.contains(.cancel))
  }

  @Test func clearingKeepsTheSettings() async throws {
    let (session, engine) = try await makeSession(
      EngineScript(replies: [[.text("one")]]), ChatSettings(system: "S", seed: 3))
    _ = try await session.send("a") { _ in }
    try await session.startNew()
    #expect(await session.lastTurn == nil)
    _ = try await session.send("b") { _ in }
    let prompt = try prompts(engine).last ?? ""
    #expect(prompt.hasPrefix("<|im_start|>system\nS<|im_end|>\n<|im_start|>user\nb"))
  }

  @Test func aUsersChoicesReachTheEngine() async throws {
    let (session, engine) = try await makeSession(
      EngineScript(replies: [[.text("one two three")]]),
      ChatSettings(
        thinkingBudget: 5, sampling: SamplingOverrides(topK: 3), maximumTokens: 7,
        stopStrings: ["three"], seed: 11))
    _ = try await session.send("a") { _ in }
    guard case .generate(_, let parameters)? = engine.calls.last else {
      Issue.record("nothing was generated")
      return
    }
    #expect(parameters.seed == 11)
    #expect(parameters.maximumTokens == 7)
    #expect(parameters.stopStrings == ["three"])
    #expect(parameters.thinkingBudget == 5)
    #expect(parameters.sampling.topK == 3)
    #expect(parameters.sampling.temperature == 0.7)
  }
}
