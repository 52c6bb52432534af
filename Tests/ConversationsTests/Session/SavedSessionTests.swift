import Conversations
import Foundation
import Glibc
import Inference
import JSON
import TestSupport
import Testing

/// A session whose conversation is kept.
@Suite struct SavedSessionTests {
  private let fixture: StoreFixture

  init() throws {
    fixture = try StoreFixture()
  }

  private func makeSession(
    _ replies: [[EngineScript.Step]], _ settings: ChatSettings = ChatSettings(),
    model: String = "m", contextLength: Int = 4096, store: ConversationStore? = nil
  ) async throws -> (ChatSession, ScriptedEngine) {
    let engine = ScriptedEngine(EngineScript(replies: replies, contextLength: contextLength))
    try await engine.load(
      ModelReference(name: model, path: ""), budget: MemoryBudget(), progress: { _ in })
    let session = ChatSession(
      engine: engine, settings: settings, storage: store ?? fixture.store)
    return (session, engine)
  }

  @Test func aConversationGoesOnInAnotherProcess() async throws {
    let settings = ChatSettings(
      system: "S", isThinking: true, thinkingBudget: 9,
      sampling: SamplingOverrides(temperature: 0.2), maximumTokens: 50, stopStrings: ["x"], seed: 3)
    let (first, _) = try await makeSession([[.text("one")]], settings)
    _ = try await first.send("Hello there") { _ in }
    let id = try #require(await first.info?.id)
    #expect(await first.close() == [])

    let (second, engine) = try await makeSession([[.text("two")]], store: fixture.another())
    let report = try await second.open(id)
    #expect(report.summary.title == "Hello there")
    #expect(report.wantedModel == nil && !report.endsInterrupted && report.problems.isEmpty)
    #expect(await second.settings == settings)
    let turn = try await second.send("b") { _ in }
    // The tokens are those of the first process: nothing was rendered anew.
    #expect(turn.statistics.reuseNote == nil)
    guard case .generate(let tokens, _)? = engine.calls.last else {
      Issue.record("nothing was generated")
      return
    }
    #expect(
      try engine.decode(tokens, skippingControl: false) == """
        <|im_start|>system
        S<|im_end|>
        <|im_start|>user
        Hello there<|im_end|>
        <|im_start|>assistant
        one<|im_end|>
        <|im_start|>user
        b<|im_end|>
        <|im_start|>assistant

        """)
    #expect(await second.tree.path.map(\.message.content) == ["Hello there", "one", "b", "two"])
  }

  @Test func nothingIsKeptWithoutAStoreAndNoFileWithoutAMessage() async throws {
    let (session, _) = try await makeSession([[.text("one")]])
    await session.setSystem("S")
    await session.close()
    #expect(fixture.names == [])
    let engine = ScriptedEngine(EngineScript(replies: [[.text("one")]]))
    try await engine.load(
      ModelReference(name: "m", path: ""), budget: MemoryBudget(), progress: { _ in })
    let unkept = ChatSession(engine: engine, settings: ChatSettings())
    _ = try await unkept.send("a") { _ in }
    #expect(await unkept.info == nil)
    #expect(fixture.names == [])
  }

  @Test func aMessageThatIsRefusedLeavesNoFile() async throws {
    let (session, _) = try await makeSession([[.text("one")]], contextLength: 64)
    await #expect(throws: MemoryRefusal.self) {
      try await session.send(String(repeating: "x", count: 100)) { _ in }
    }
    #expect(fixture.names.filter { $0.hasPrefix("conversation") && $0.hasSuffix("json") } == [])
  }

  @Test func aTurnThatFailsInThePromptOfANewConversationLeavesNoFile() async throws {
    let (session, _) = try await makeSession([[.delay(.seconds(3)), .failure(EngineError.busy)]])
    await #expect(throws: EngineError.busy) { try await session.send("a") { _ in } }
    await session.close()
    #expect(fixture.names.filter { $0.hasPrefix("conversation") } == [])
    #expect(try await fixture.store.list().summaries.isEmpty)
  }

  /// What is in the file while a reply grows; how soon is for the tests that kill processes.
  @Test func aReplyIsSavedAsItGrows() async throws {
    let steps = (0..<600).flatMap { number -> [EngineScript.Step] in
      [.text("word\(number) "), .delay(.milliseconds(100))]
    }
    let (session, _) = try await makeSession([steps])
    let turn = Task { try await session.send("tell") { _ in } }
    var seen: Set<String> = []
    for _ in 0..<200 where seen.count < 3 {
      try await Task.sleep(for: .milliseconds(200))
      guard let summary = try await fixture.another().latest() else { continue }
      let tree = try await fixture.another().load(summary.id).tree
      guard let leaf = tree.leaf, leaf.message.role == .assistant else { continue }
      seen.insert(leaf.message.content)
      #expect(leaf.tokens?.reply.count == leaf.message.content.utf8.count)
      #expect(leaf.isInterrupted && leaf.canContinue)
    }
    #expect(seen.count == 3)
    session.stop()
    _ = try await turn.value
  }

  @Test func theReplyOfALargeConversationIsSavedBesideIt() async throws {
    let (session, _) = try await makeSession(
      [
        [.text(String(repeating: "long ", count: 14_000))],
        (0..<600).flatMap { _ -> [EngineScript.Step] in
          [.text("part "), .delay(.milliseconds(100))]
        },
      ], contextLength: 1_000_000)
    _ = try await session.send("a") { _ in }
    let id = try #require(await session.info?.id)
    let turn = Task { try await session.send("b") { _ in } }
    for _ in 0..<200 where !fixture.names.contains("conversation-\(id).reply.json") {
      try await Task.sleep(for: .milliseconds(100))
    }
    #expect(fixture.names.contains("conversation-\(id).reply.json"))
    #expect(try fixture.text(id).contains(#""content":"b""#))
    let leaf = try #require(try await fixture.another().load(id).tree.leaf)
    #expect(leaf.message.content.hasPrefix("part part"))
    #expect(leaf.tokens?.reply.count == leaf.message.content.utf8.count)
    #expect(leaf.isInterrupted)
    session.stop()
    let whole = try await turn.value.reply.content
    #expect(!fixture.names.contains("conversation-\(id).reply.json"))
    #expect(try await fixture.another().load(id).tree.leaf?.message.content == whole)
    await session.close()
  }

  @Test func whatOthersHaveOpenIsRefusedAndCanBeCopied() async throws {
    let (first, _) = try await makeSession([[.text("one")]])
    _ = try await first.send("a") { _ in }
    let id = try #require(await first.info?.id)
    let other = fixture.another()
    let (second, _) = try await makeSession([[.text("two")]], store: other)
    await #expect(throws: ConversationError.inUse(id)) { _ = try await second.open(id) }
    await #expect(throws: ConversationError.inUse(id)) { try await other.rename(id, to: "x") }
    await #expect(throws: ConversationError.inUse(id)) { try await other.purge(id) }
    #expect(try await other.load(id).tree.nodes.count == 2)
    // Only looking at it leaves nothing.
    _ = try await second.fork(of: id)
    #expect(await second.close().isEmpty)
    #expect(try await other.list().summaries.count == 1)
    let report = try await second.fork(of: id)
    #expect(report.summary.id != id)
    _ = try await second.send("b") { _ in }
    #expect(await second.tree.path.map(\.message.content) == ["a", "one", "b", "two"])
    _ = try await first.send("c") { _ in }
    await first.close()
    #expect(try await other.load(id).tree.path.map(\.message.content).last == "one")
    _ = try await other.open(id)
    #expect(try await other.list().summaries.count == 2)
    let copy = try JSONReader.read(Array(try fixture.text(report.summary.id).utf8))
    #expect(copy["forked_from"] == .string(id.description))
  }

  @Test func aForkReadsNothingAgain() async throws {
    let (session, engine) = try await makeSession([
      [.text("one")], [.text("two")], [.text("three")],
    ])
    _ = try await session.send("a") { _ in }
    let middle = await session.tree.leafID
    _ = try await session.send("b") { _ in }
    let old = try #require(await session.info?.id)
    let new = try #require(try await session.fork(at: middle))
    #expect(new.id != old)
    let turn = try await session.send("c") { _ in }
    #expect(turn.statistics.reuseNote == nil)
    #expect(turn.statistics.reusedTokens > 30)
    #expect(await session.tree.path.map(\.message.content) == ["a", "one", "c", "three"])
    #expect(engine.calls.count { if case .load = $0 { true } else { false } } == 1)
    // The old one is as it was, and free.
    let (open, conversation, _) = try await fixture.another().open(old)
    #expect(conversation.tree.path.map(\.message.content) == ["a", "one", "b", "two"])
    _ = open
  }

  @Test func titlePinAndTrashAreInTheFile() async throws {
    let (session, _) = try await makeSession([[.text("one")]])
    _ = try await session.send("first line\nsecond") { _ in }
    let id = try #require(await session.info?.id)
    #expect(await session.info?.title == "first line")
    try await session.setTitle("Mine")
    try await session.setPinned(true)
    await #expect(throws: ConversationError.emptyTitle) { try await session.setTitle(" ") }
    let list = try await fixture.another().list()
    #expect(list.summaries.map(\.title) == ["Mine"])
    #expect(list.grouped().map(\.heading) == ["Pinned"])
    try await session.deleteConversation()
    #expect(await session.info?.id != id)
    #expect(await session.tree.nodes.isEmpty)
    #expect(try await fixture.another().list().summaries.isEmpty)
    #expect(try await fixture.another().undoDelete()?.id == id)
  }

  @Test func settingsAloneAreSavedAtTheEnd() async throws {
    let (session, _) = try await makeSession([[.text("one")]])
    _ = try await session.send("a") { _ in }
    let id = try #require(await session.info?.id)
    await session.setThinking(true)
    _ = try await session.undo()
    await session.close()
    let after = try await fixture.another().load(id)
    #expect(after.settings.isThinking)
    #expect(after.tree.leafID == nil && after.tree.nodes.count == 2)
  }

  @Test func aFullDiskIsSaidAndTheChatGoesOn() async throws {
    let isFull = Flag()
    let store = fixture.another(
      system: FaultySystem { call, _ in
        call == .write && isFull.value ? .fails(ENOSPC) : nil
      })
    let (session, _) = try await makeSession([[.text("one")], [.text("two")]], store: store)
    _ = try await session.send("a") { _ in }
    let id = try #require(await session.info?.id)
    isFull.value = true
    let turn = try await session.send("b") { _ in }
    #expect(turn.reply.content == "two")
    let failure = try #require(turn.saveFailure)
    #expect("\(failure)".contains("No space left on device"))
    #expect(try await fixture.another().load(id).tree.nodes.count == 2)
    #expect(await session.close().count == 1)
    // Once there is room again all of it is written.
    isFull.value = false
    #expect(await session.close() == [])
    #expect(try await fixture.another().load(id).tree.nodes.count == 4)
  }

  @Test func anotherModelIsNamed() async throws {
    let (first, _) = try await makeSession([[.text("one")]], model: "small")
    _ = try await first.send("a") { _ in }
    let id = try #require(await first.info?.id)
    await first.close()
    let (second, _) = try await makeSession([[.text("two")]], model: "large")
    #expect(try await second.open(id).wantedModel == "small")
    let turn = try await second.send("b") { _ in }
    #expect(turn.statistics.reuseNote == nil || turn.statistics.reusedTokens == 0)
    #expect(await second.tree.leaf?.tokens?.whole != nil)
  }
}
