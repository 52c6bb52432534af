import Conversations
import Foundation
import Inference
import TestSupport
import Testing

/// Conversations with a model: what is read again after a restart, a fork, a branch, an interruption.
@Suite struct ResumeTests {
  private let fixture: StoreFixture

  init() throws {
    fixture = try StoreFixture()
  }

  private static let settings = ChatSettings(
    system: "You are a small model with random weights.",
    sampling: SamplingOverrides(temperature: 0, repetitionPenalty: 1), maximumTokens: 12)

  private func makeSession(
    _ model: String, kept: Bool = true
  ) async throws -> ChatSession {
    let engine = CPUEngine()
    let path = StoreFixture.document.path("models/\(model).gguf")
    try await engine.load(
      ModelReference(
        name: model, path: path, options: ModelOptions(contextLength: 1024, threads: 1)),
      budget: MemoryBudget(isForced: true), progress: { _ in })
    return ChatSession(
      engine: engine, settings: Self.settings, storage: kept ? fixture.another() : nil)
  }

  private func read(_ turn: ChatTurn) -> Int {
    turn.statistics.promptTokens - turn.statistics.reusedTokens
  }

  @Test(arguments: ["qwen3-q1_0", "qwen35-q1_0"])
  func aRestartReadsOnlyWhatIsNew(_ model: String) async throws {
    let first = try await makeSession(model)
    for text in ["What is a river?", "And a lake?", "And the sea?"] {
      _ = try await first.send(text) { _ in }
    }
    let id = await first.conversation.id
    let known = await first.tree.tokens(to: first.tree.leafID).count
    #expect(await first.close() == [])

    // The same turn, by one that never stopped and one that begins anew.
    let unstopped = try await makeSession(model, kept: false)
    for text in ["What is a river?", "And a lake?", "And the sea?"] {
      _ = try await unstopped.send(text) { _ in }
    }
    let wanted = try await unstopped.send("And a pond?") { _ in }

    let second = try await makeSession(model)
    let report = try await second.open(id)
    #expect(report.sessionNote == nil && report.wantedModel == nil)
    let turn = try await second.send("And a pond?") { _ in }
    #expect(turn.statistics.reusedTokens == known - 1)
    #expect(read(turn) == turn.statistics.promptTokens - known + 1)
    #expect(read(turn) < 40)
    #expect(turn.reply == wanted.reply)
    await second.close()

    // Without what was saved all of it is read, and the answer is the same.
    SessionStore(directory: fixture.scratch.path + "/sessions").removeAll()
    let third = try await makeSession(model)
    _ = try await third.open(id)
    let cold = try await third.regenerate { _ in }
    #expect(cold.statistics.reusedTokens == 0)
    #expect(cold.reply == turn.reply)
  }

  @Test(arguments: ["qwen3-q1_0", "qwen35-q1_0"])
  func branchesAndForksReadOnlyWhatIsTheirs(_ model: String) async throws {
    let session = try await makeSession(model)
    _ = try await session.send("What is a river?") { _ in }
    _ = try await session.send("And a lake?") { _ in }
    let again = try await session.regenerate { _ in }
    #expect(read(again) == 1)
    let edited = try await session.edit(as: "And a pool?") { _ in }
    #expect(read(edited) < 40)
    _ = try await session.fork()
    let forked = try await session.send("More.") { _ in }
    #expect(read(forked) < 40)
    #expect(forked.statistics.reuseNote == nil)
    await session.close()
  }

  @Test(arguments: ["qwen3-q1_0", "qwen35-q1_0"])
  func aReplyThatWasCutGoesOnAsIfItHadNot(_ model: String) async throws {
    let session = try await makeSession(model)
    var settings = Self.settings
    settings.maximumTokens = 24
    let whole = try await makeSession(model, kept: false)
    await whole.setSettings(settings)
    let wanted = try await whole.send("What is a river?") { _ in }
    let first = try await session.send("What is a river?") { _ in }
    guard first.statistics.stopReason == .length else { return }
    let id = await session.conversation.id
    await session.close()

    let second = try await makeSession(model)
    _ = try await second.open(id)
    let rest = try await second.continueReply { _ in }
    #expect(read(rest) <= 2)
    #expect(rest.reply == wanted.reply)
    let (one, other) = (await second.tree.leaf?.tokens, await whole.tree.leaf?.tokens)
    #expect(one?.reply == other?.reply)
  }

  @Test func aConversationPurgedLeavesNoState() async throws {
    let session = try await makeSession("qwen3-q1_0")
    _ = try await session.send("What is a river?") { _ in }
    let id = await session.conversation.id
    await session.close()
    let sessions = SessionStore(directory: fixture.scratch.path + "/sessions")
    #expect(sessions.byteCount(id.description) ?? 0 > 1000)
    try await fixture.store.purge(id)
    #expect(sessions.byteCount(id.description) == nil)
  }
}
