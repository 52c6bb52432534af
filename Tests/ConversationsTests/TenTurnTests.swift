import Conversations
import Foundation
import Inference
import Synchronization
import TestSupport
import Testing
import Tokenizers

/// A conversation of ten turns with a model of Qwen3.5-0.8B's shape: every token is read once.
@Suite(
  .enabled(
    if: TestModels.slow && TestModels.qwen35Shape != nil, "Scripts/test-slow makes the model"))
struct TenTurnTests {
  private static let system = (1...40).map {
    "Rule \($0): be brief, be exact, and say so when you do not know."
  }.joined(separator: "\n")

  private func engine() async throws -> CPUEngine {
    // Other tests bring their own groups to the limit, which the system reports as pressure.
    let engine = CPUEngine(conditions: MachineConditions(pressure: { nil }))
    try await engine.load(
      ModelReference(
        name: "shape", path: try #require(TestModels.qwen35Shape),
        options: ModelOptions(contextLength: 8192)),
      budget: MemoryBudget(), progress: { _ in })
    return engine
  }

  private func session(_ engine: CPUEngine) -> ChatSession {
    ChatSession(
      engine: engine,
      settings: ChatSettings(
        system: Self.system, sampling: SamplingOverrides(temperature: 0, repetitionPenalty: 1),
        maximumTokens: 16))
  }

  private func note(_ what: String, _ statistics: Statistics) {
    let first = statistics.timeToFirstToken.map { ($0 * 1000).rounded() / 1000 } ?? 0
    print(
      """
      \(what): reused \(statistics.reusedTokens) of \(statistics.promptTokens) tokens, \
      first token after \(first) s
      """)
  }

  @Test func everyTokenIsReadOnce() async throws {
    let first = try await engine()
    let chat = session(first)
    for turn in 1...10 {
      let held = await chat.tree.tokens(to: chat.tree.leafID).count
      let message = "Message \(turn): what is \(turn * 37) times \(turn + 11), and why is it so?"
      let sent = try await chat.send(message) { _ in }
      note("turn \(turn)", sent.statistics)
      // The last token of a reply is read with the next turn.
      #expect(sent.statistics.reusedTokens == max(0, held - 1), "turn \(turn)")
      #expect(sent.statistics.reuseNote == nil)
    }

    let last = await chat.lastTurn
    let again = try await chat.regenerate { _ in }
    note("another reply", again.statistics)
    #expect(again.statistics.promptTokens - again.statistics.reusedTokens == 1)
    #expect(again.reply == last?.reply)

    // The fifth message, edited: what comes before it is there.
    let tree = await chat.tree
    let fifth = tree.path.filter { $0.message.role == .user }[4]
    let before = tree.tokens(to: fifth.parentID)
    var messages =
      [ChatMessage(.system, Self.system)] + tree.path(to: fifth.parentID).map(\.message)
    messages.append(ChatMessage(.user, "Message 5, put otherwise: how many are there?"))
    let edit = try first.continuation(PromptRequest(messages: messages), after: before)
    let edited = try await generate(before + edit.tokens, with: first)
    note("edit of turn 5", edited.statistics)
    #expect(edited.statistics.reusedTokens >= before.count - 1)
    let cold = try await engine()
    #expect(try await generate(before + edit.tokens, with: cold).tokens == edited.tokens)

    // A restart.
    let scratch = try ScratchDirectory()
    let store = SessionStore(directory: scratch.path + "/sessions")
    let tokens = tree.tokens(to: tree.leafID)
    let clock = ContinuousClock()
    var saved = 0
    let saving = try await clock.measure {
      saved = try await first.saveSession("chat", of: tokens, in: store)
    }
    await first.unload()
    let second = try await engine()
    var outcome = SessionOutcome.absent
    let restoring = try await clock.measure {
      outcome = try await second.restoreSession("chat", of: tokens, from: store)
    }
    print("\(store.byteCount("chat") ?? 0) bytes saved in \(saving), taken up in \(restoring)")
    #expect(saved == tokens.count - 1 && outcome == .restored(tokens: saved))
    messages = [ChatMessage(.system, Self.system)] + tree.path.map(\.message)
    messages.append(ChatMessage(.user, "And now the eleventh."))
    let prompt =
      tokens + (try second.continuation(PromptRequest(messages: messages), after: tokens)).tokens
    let resumed = try await generate(prompt, with: second)
    note("after a restart", resumed.statistics)
    #expect(resumed.statistics.reusedTokens == saved)
    let anew = try await generate(prompt, with: cold)
    note("without a cache", anew.statistics)
    #expect(anew.tokens == resumed.tokens)
  }

  private func generate(
    _ prompt: [TokenID], with engine: CPUEngine
  ) async throws -> (tokens: [TokenID], statistics: Statistics) {
    var result: [TokenID] = []
    var figures = Statistics()
    let parameters = GenerationParameters(maximumTokens: 16, sampling: .greedy, stopsLoops: false)
    for try await event in engine.generate(prompt, parameters) {
      switch event {
      case .prefill: break
      case .reasoning(_, let tokens), .answer(_, let tokens), .toolCall(_, let tokens):
        result += tokens
      case .finished(let statistics): figures = statistics
      }
    }
    return (result, figures)
  }
}
