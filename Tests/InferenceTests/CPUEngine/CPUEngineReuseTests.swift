import Inference
import Synchronization
import TestSupport
import Testing
import Tokenizers

/// Turns of a conversation with the engine, in its own statistics.
struct CPUEngineReuseTests {
  private struct Turn {
    var reply: [TokenID] = []
    var statistics = Statistics()
    /// Tokens of the prompt that were computed.
    var prefilled = 0
  }

  private func generate(_ prompt: [TokenID], with engine: CPUEngine) async throws -> Turn {
    var turn = Turn()
    let parameters = GenerationParameters(
      maximumTokens: 8, sampling: .greedy, stopsLoops: false, drafting: .off, ignoresEndOfTurn: true
    )
    for try await event in engine.generate(prompt, parameters) {
      switch event {
      case .prefill(let done, _): turn.prefilled = done
      case .reasoning(_, let tokens), .answer(_, let tokens), .toolCall(_, let tokens):
        turn.reply += tokens
      case .finished(let statistics): turn.statistics = statistics
      }
    }
    return turn
  }

  /// The likeliest tokens along a reply, computed in one go from an empty context.
  private func likeliest(
    after prompt: [TokenID], along reply: [TokenID], with engine: CPUEngine
  ) async throws -> [TokenID] {
    let rows = Rows()
    try await engine.logits(of: prompt + reply.dropLast(), chunk: nil) { rows.append($0) }
    return rows.likeliest().suffix(reply.count)
  }

  @Test(arguments: StateKind.allCases, [KeyValueBits?.none, .eight, .four])
  func aTurnReadsOnlyItsOwn(kind: StateKind, bits: KeyValueBits?) async throws {
    let engine = CPUEngine()
    try await engine.load(
      ModelReference(
        name: "small", path: kind.path,
        options: ModelOptions(contextLength: kind.contextLength, keyValueBits: bits, threads: 2)),
      budget: MemoryBudget(isForced: true), progress: { _ in })
    // With another seed the hybrid thinks, and its thinking is closed by force.
    var generator = SeededGenerator(seed: 12)
    var history: [TokenID] = []
    var ends: [[TokenID]] = []
    for turn in 0..<10 {
      let prompt =
        history
        + SmallModel.tokens(turn > 0 ? kind.turnLength : bits == nil ? 90 : 330, using: &generator)
      let first = try await generate(prompt, with: engine)
      #expect(first.statistics.reusedTokens == max(0, history.count - 1))
      #expect(first.prefilled == prompt.count - first.statistics.reusedTokens)
      #expect(first.statistics.reuseNote == nil)
      let wanted = try await likeliest(after: prompt, along: first.reply, with: engine)
      #expect(first.reply == wanted, "turn \(turn)")

      let again = try await generate(prompt, with: engine)
      #expect(again.prefilled == 1 && again.reply == first.reply, "turn \(turn)")
      history = prompt + again.reply
      ends.append(history)
    }
    let edited = ends[3] + SmallModel.tokens(20, using: &generator)
    let edit = try await generate(edited, with: engine)
    #expect((20...21).contains(edit.prefilled))
    let wanted = try await likeliest(after: edited, along: edit.reply, with: engine)
    #expect(edit.reply == wanted)

    let other = try await generate(SmallModel.tokens(40, using: &generator), with: engine)
    #expect(other.statistics.reusedTokens == 0)
    #expect(
      other.statistics.reuseNote == "the prompt begins differently from what was read before")
  }

  @Test func notesSayWhy() {
    func note(_ common: Int, _ reused: Int, before: Int = 900) -> String? {
      PromptReuse(promptTokens: 1000, reused: reused, common: common, readBefore: before).note
    }
    #expect(note(0, 0, before: 0) == nil)
    #expect(note(0, 0) == "the prompt begins differently from what was read before")
    #expect(note(900, 900) == nil)
    #expect(note(900, 880) == nil)
    #expect(
      note(800, 300) == """
        this model cannot go back to token 800, where the prompt changes; the nearest snapshot was \
        at 300
        """)
    #expect(
      note(800, 0) == """
        this model cannot go back to token 800, where the prompt changes; no snapshot of what \
        comes before was left
        """)
    #expect(note(120, 120) == "the prompt changes after its first 120 tokens")
  }
}

/// Rows of logits that the engine's queue hands over.
private final class Rows: Sendable {
  private let tokens = Mutex<[TokenID]>([])

  func append(_ row: [Float]) {
    let best = row.indices.max { row[$0] < row[$1] } ?? 0
    tokens.withLock { $0.append(TokenID(best)) }
  }

  func likeliest() -> [TokenID] { tokens.withLock { $0 } }
}
