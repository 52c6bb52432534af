import Conversations
import Inference
import Testing

/// Another reply, another message, another way on: what is fed for each, and what stays.
@Suite struct BranchTests {
  private func makeSession(
    _ replies: [[EngineScript.Step]], thinking: ThinkingKind = .none,
    settings: ChatSettings = ChatSettings()
  ) async throws -> (ChatSession, ScriptedEngine) {
    let engine = ScriptedEngine(EngineScript(replies: replies, thinking: thinking))
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

  private func texts(_ session: ChatSession) async -> [String] {
    await session.tree.path.map(\.message.content)
  }

  @Test func anEditedMessageIsASibling() async throws {
    let (session, engine) = try await makeSession([
      [.text("one")], [.text("two")], [.text("three")], [.text("four")],
    ])
    _ = try await session.send("a") { _ in }
    _ = try await session.send("b") { _ in }
    let turn = try await session.edit(as: "B") { _ in }
    #expect(await texts(session) == ["a", "one", "B", "three"])
    // All but the message itself has been read.
    let prompt = try #require(prompts(engine).last)
    #expect(
      prompt.hasSuffix("one<|im_end|>\n<|im_start|>user\nB<|im_end|>\n<|im_start|>assistant\n"))
    #expect(turn.statistics.promptTokens - turn.statistics.reusedTokens < 30)
    // The first message, by its identifier.
    _ = try await session.edit(message: 0, as: "A") { _ in }
    #expect(await texts(session) == ["A", "four"])
    #expect(await session.branches.count == 3)
    #expect(await session.tree.nodes.count == 8)
    await #expect(throws: ChatSessionError.nothingToEdit) {
      try await session.edit(message: 1, as: "none of the user's") { _ in }
    }
  }

  /// With a seed a conversation can be had again, and yet a reply that is made anew is another one.
  @Test func aSeedDoesNotRepeatAReply() async throws {
    let (session, engine) = try await makeSession(
      [[.text("one")], [.text("two")], [.text("three")]], settings: ChatSettings(seed: 9))
    _ = try await session.send("a") { _ in }
    _ = try await session.regenerate { _ in }
    _ = try await session.send("b") { _ in }
    let seeds = engine.calls.compactMap { call in
      if case .generate(_, let parameters) = call { return parameters.seed }
      return nil
    }
    #expect(seeds == [9, 10, 9])
    #expect(await session.settings.seed == 9)
  }

  @Test func branchesAreGoneBackTo() async throws {
    let (session, engine) = try await makeSession([
      [.text("one")], [.text("two")], [.text("three")], [.text("four")],
    ])
    _ = try await session.send("a") { _ in }
    _ = try await session.regenerate { _ in }
    let first = try #require(await session.branches.first)
    #expect(!first.isActive)
    try await session.switchBranch(to: first.leafID)
    #expect(await texts(session) == ["a", "one"])
    _ = try await session.send("b") { _ in }
    #expect(await texts(session) == ["a", "one", "b", "three"])
    #expect(try prompts(engine).last?.contains("one<|im_end|>\n<|im_start|>user\nb") == true)
    await #expect(throws: ChatSessionError.noSuchMessage(77)) {
      try await session.switchBranch(to: 77)
    }
  }

  @Test func undoGoesBackToBeforeTheLastMessage() async throws {
    let (session, engine) = try await makeSession([[.text("one")], [.text("two")]])
    #expect(try await session.undo() == nil)
    _ = try await session.send("a") { _ in }
    _ = try await session.send("b") { _ in }
    #expect(try await session.undo() == "b")
    #expect(await texts(session) == ["a", "one"])
    #expect(try await session.undo() == "a")
    #expect(await session.tree.leafID == nil)
    #expect(await session.tree.nodes.count == 4)
    _ = try await session.send("c") { _ in }
    #expect(try prompts(engine).last?.hasPrefix("<|im_start|>user\nc<|im_end|>") == true)
    await #expect(throws: ChatSessionError.self) { try await session.switchBranch(to: 99) }
  }

  /// Tokens of a branch hold only with the system prompt that they were rendered with.
  @Test func aBranchOfAnotherSystemPromptIsReadAnew() async throws {
    let (session, engine) = try await makeSession(
      [[.text("one")], [.text("two")], [.text("three")]], settings: ChatSettings(system: "S1"))
    _ = try await session.send("a") { _ in }
    let first = try #require(await session.tree.leafID)
    await session.setSystem("S2")
    _ = try await session.regenerate { _ in }
    try await session.switchBranch(to: first)
    let turn = try await session.send("b") { _ in }
    #expect(turn.statistics.reuseNote == "the system prompt has changed")
    #expect(try prompts(engine).last?.hasPrefix("<|im_start|>system\nS2") == true)
    // Back to what the tokens were of, nothing needs to be read anew.
    try await session.switchBranch(to: first)
    await session.setSystem("S1")
    let same = try await session.send("c") { _ in }
    #expect(same.statistics.reuseNote == nil)
    #expect(try prompts(engine).last?.hasPrefix("<|im_start|>system\nS1") == true)
  }

  // MARK: Continuing

  @Test func aReplyThatWasStoppedGoesOn() async throws {
    let (session, engine) = try await makeSession([
      [.text("Once upon "), .delay(.seconds(600))], [.text("a time.")], [.text("next")],
    ])
    let first = try await session.send("a") { event in
      if case .answer = event { session.stop() }
    }
    #expect(first.statistics.stopReason == .cancelled)
    #expect(await session.tree.leaf?.isInterrupted == true)
    let heard = Heard()
    let turn = try await session.continueReply { heard.take($0) }
    #expect(heard.answer == "a time.")
    #expect(turn.reply.content == "Once upon a time.")
    #expect(turn.statistics.stopReason == .endOfTurn)
    #expect(turn.statistics.promptTokens - turn.statistics.reusedTokens == 1)
    let node = try #require(await session.tree.leaf)
    #expect(node.stopReason == .endOfTurn && !node.isInterrupted)
    #expect(node.statistics?.generatedTokens == "Once upon a time.".utf8.count + 1)
    #expect(node.statistics?.promptTokens == first.statistics.promptTokens)
    #expect(try prompts(engine)[1] == prompts(engine)[0] + "Once upon ")
    _ = try await session.send("b") { _ in }
    #expect(try prompts(engine).last?.contains("Once upon a time.<|im_end|>") == true)
    await #expect(throws: ChatSessionError.nothingToContinue) {
      try await session.continueReply { _ in }
    }
  }

  @Test func aReplyThatWasCutAtItsLimitGoesOn() async throws {
    let (session, _) = try await makeSession(
      [[.text("漢字かな")], [.text("交じり文")]], settings: ChatSettings(maximumTokens: 12))
    let first = try await session.send("a") { _ in }
    #expect(first.statistics.stopReason == .length)
    #expect(try await session.continueReply { _ in }.reply.content == "漢字かな交じり文")
  }

  @Test func thoughtsGoOnAsThoughts() async throws {
    let (session, _) = try await makeSession(
      [[.text("Hm, let"), .stop(.length)], [.text(" me see.</think>\n\nYes.")]],
      thinking: .switchable, settings: ChatSettings(isThinking: true, thinkingBudget: 20))
    let first = try await session.send("a") { _ in }
    #expect(first.reply.reasoning == "Hm, let" && first.reply.content == "")
    let turn = try await session.continueReply { _ in }
    #expect(turn.reply.reasoning == "Hm, let me see.")
    #expect(turn.reply.content == "Yes.")
    #expect(turn.parameters.startsInsideThinking)
    #expect(turn.parameters.thinkingBudget == 20 - 7)
  }

  @Test func anAnswerAfterThoughtsGoesOnAsAnAnswer() async throws {
    let (session, _) = try await makeSession(
      [[.text("Hm.</think>\n\nYes, "), .stop(.length)], [.text("sir.")]], thinking: .switchable,
      settings: ChatSettings(isThinking: true))
    _ = try await session.send("a") { _ in }
    let turn = try await session.continueReply { _ in }
    #expect(!turn.parameters.startsInsideThinking)
    #expect(turn.reply.reasoning == "Hm." && turn.reply.content == "Yes, sir.")
  }

  @Test func aReplyThatFailedGoesOn() async throws {
    let (session, _) = try await makeSession([
      [.text("half"), .failure(EngineError.busy)], [.text(" more")],
    ])
    await #expect(throws: EngineError.busy) { try await session.send("a") { _ in } }
    #expect(await session.tree.leaf?.stopReason == .error)
    #expect(try await session.continueReply { _ in }.reply.content == "half more")
  }

  @Test func anotherModelCannotGoOnInTheMiddle() async throws {
    let (session, _) = try await makeSession([[.text("half"), .stop(.length)], [.text("x")]])
    _ = try await session.send("a") { _ in }
    _ = try await session.loadModel(
      ModelReference(name: "n", path: ""), budget: MemoryBudget(), progress: { _ in })
    await #expect(throws: ChatSessionError.cannotContinue(reason: "the model has changed")) {
      try await session.continueReply { _ in }
    }
  }
}
