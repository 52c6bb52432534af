import Conversations
import Inference
import Testing

@Suite struct OverflowTests {
  /// A session with a context of so many bytes, each a token.
  private func session(
    _ overflow: Overflow, context: Int = 400, system: String? = "Be brief.",
    maximumTokens: Int? = 20
  ) async throws -> (ChatSession, ScriptedEngine) {
    let engine = ScriptedEngine(
      EngineScript(replies: (0..<40).map { [.text("answer \($0)")] }, contextLength: context))
    try await engine.load(
      ModelReference(name: "m", path: ""), budget: MemoryBudget(), progress: { _ in })
    let settings = ChatSettings(
      system: system, maximumTokens: maximumTokens, overflow: overflow)
    return (ChatSession(engine: engine, settings: settings), engine)
  }

  private func lastPrompt(_ engine: ScriptedEngine) throws -> String {
    for call in engine.calls.reversed() {
      if case .generate(let tokens, _) = call {
        return try engine.decode(tokens, skippingControl: false)
      }
    }
    return ""
  }

  @Test func refusedTurnsLeaveTheConversationAsItWas() async throws {
    let (session, _) = try await session(.refuse)
    var turns = 0
    var refusal: MemoryRefusal?
    while refusal == nil, turns < 20 {
      do {
        let turn = try await session.send("question \(turns)") { _ in }
        #expect(turn.dropped == nil)
        turns += 1
      } catch {
        refusal = error as? MemoryRefusal
      }
    }
    guard case .context(let shortage)? = refusal else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    #expect(turns > 3)
    #expect(shortage.contextLength == 400)
    #expect(await session.tree.path.count == 2 * turns)
  }

  @Test func theOldestAreDroppedAndCounted() async throws {
    let (session, engine) = try await session(.dropOldest)
    var dropped: [DroppedMessages] = []
    for number in 0..<20 {
      let turn = try await session.send("question \(number)") { _ in }
      #expect(turn.statistics.stopReason == .endOfTurn)
      let prompt = try lastPrompt(engine)
      #expect(prompt.hasPrefix("<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\n"))
      #expect(prompt.hasSuffix("question \(number)<|im_end|>\n<|im_start|>assistant\n"))
      #expect(prompt.contains("question 0<") == (dropped.isEmpty && turn.dropped == nil))
      if let some = turn.dropped {
        dropped.append(some)
        #expect(turn.statistics.reuseNote == "older messages no longer fit the context")
        // What stays begins with a question, after the system prompt.
        #expect(prompt.contains("question \(some.messages / 2)<"))
        #expect(!prompt.contains("question \(some.messages / 2 - 1)<"))
        #expect(some.messages.isMultiple(of: 2) && some.tokens > 0)
      }
    }
    // Not at every turn: what stays gets half the context.
    #expect(dropped.count >= 2 && dropped.count <= 7)
    #expect(dropped.map(\.messages) == dropped.map(\.messages).sorted())
    // The conversation keeps all of it.
    #expect(await session.tree.path.count == 40)
    #expect(await session.tree.path.first?.message.content == "question 0")
  }

  @Test func turnsBetweenFollowOn() async throws {
    let (session, _) = try await session(.dropOldest)
    var reused: [Int] = []
    for number in 0..<20 {
      let turn = try await session.send("question \(number)") { _ in }
      if number > 0, turn.dropped == nil { reused.append(turn.statistics.reusedTokens) }
    }
    #expect(reused.count >= 12)
    #expect(reused.allSatisfy { $0 > 50 }, "\(reused)")
  }

  @Test func aLongLastQuestionIsKept() async throws {
    let (session, engine) = try await session(.dropOldest)
    for number in 0..<3 { _ = try await session.send("question \(number)") { _ in } }
    let long = String(repeating: "x", count: 290)
    let turn = try await session.send(long) { _ in }
    #expect(turn.dropped?.messages == 6)
    #expect(try lastPrompt(engine).contains(long))
  }

  @Test func whatNeverFitsIsRefused() async throws {
    let (session, _) = try await session(.dropOldest)
    for number in 0..<3 { _ = try await session.send("question \(number)") { _ in } }
    let before = await session.tree
    await #expect(throws: MemoryRefusal.self) {
      _ = try await session.send(String(repeating: "x", count: 390)) { _ in }
    }
    #expect(await session.tree.path.map(\.id) == before.path.map(\.id))
    // A shorter one goes on.
    #expect(try await session.send("question 3") { _ in }.dropped == nil)
  }

  @Test func regeneratingDropsTheSame() async throws {
    let (session, engine) = try await session(.dropOldest)
    var last: ChatTurn?
    for number in 0..<20 where last?.dropped == nil {
      last = try await session.send("question \(number)") { _ in }
    }
    let prompt = try lastPrompt(engine)
    let again = try await session.regenerate { _ in }
    #expect(again.dropped == last?.dropped)
    #expect(try lastPrompt(engine) == prompt)
  }
}
