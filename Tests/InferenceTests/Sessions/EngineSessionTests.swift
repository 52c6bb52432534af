import Foundation
import Inference
import TestSupport
import Testing
import Tokenizers

/// A conversation that goes on with another engine.
struct EngineSessionTests {
  private func engine(
    _ path: String, context: Int = 512, bits: KeyValueBits? = nil
  ) async throws -> CPUEngine {
    let engine = CPUEngine()
    try await engine.load(
      ModelReference(
        name: "small", path: path,
        options: ModelOptions(contextLength: context, keyValueBits: bits, threads: 1)),
      budget: MemoryBudget(isForced: true), progress: { _ in })
    return engine
  }

  private func generate(
    _ prompt: [TokenID], with engine: CPUEngine
  ) async throws -> (reply: [TokenID], reused: Int) {
    var reply: [TokenID] = []
    var reused = 0
    let parameters = GenerationParameters(
      maximumTokens: 12, sampling: .greedy, stopsLoops: false, ignoresEndOfTurn: true)
    for try await event in engine.generate(prompt, parameters) {
      switch event {
      case .prefill: break
      case .reasoning(_, let tokens), .answer(_, let tokens), .toolCall(_, let tokens):
        reply += tokens
      case .finished(let statistics): reused = statistics.reusedTokens
      }
    }
    return (reply, reused)
  }

  @Test(arguments: StateKind.allCases)
  func aConversationGoesOn(kind: StateKind) async throws {
    let scratch = try ScratchDirectory()
    let store = SessionStore(directory: scratch.path + "/sessions")
    var generator = SeededGenerator(seed: 31)
    let first = try await engine(kind.path)
    let prompt = SmallModel.tokens(100, using: &generator)
    #expect(try await first.saveSession("chat", of: prompt, in: store) == 0)
    #expect(try await first.restoreSession("chat", of: prompt, from: store) == .absent)
    let history = prompt + (try await generate(prompt, with: first)).reply
    #expect(try await first.saveSession("chat", of: history, in: store) == history.count - 1)
    let next = history + SmallModel.tokens(10, using: &generator)
    let wanted = try await generate(next, with: engine(kind.path))
    #expect(wanted.reused == 0)

    let second = try await engine(kind.path)
    let outcome = try await second.restoreSession("chat", of: history, from: store)
    #expect(outcome == .restored(tokens: history.count - 1))
    let found = try await generate(next, with: second)
    #expect(found.reply == wanted.reply && found.reused == history.count - 1)

    // Of another conversation nothing is taken up.
    let unrelated = SmallModel.tokens(50, using: &generator).map { $0 == prompt[0] ? 0 : $0 }
    #expect(
      try await second.restoreSession("chat", of: unrelated, from: store) == .restored(tokens: 0))

    // A context that is too short for it.
    let short = try await engine(kind.path, context: 64)
    #expect(try await isUnusable("chat", store, with: short))

    // A copy of the model is another file, other widths are another state, and so is what is damaged.
    #expect(try await isUnusable("chat", store, with: engine(kind.path, bits: .eight)))
    let copy = try scratch.write(
      "copy.gguf", [UInt8](try Data(contentsOf: URL(filePath: kind.path))))
    #expect(try await isUnusable("chat", store, with: engine(copy)))
    try Data(repeating: 0x70, count: 4000).write(to: URL(filePath: store.path("chat")))
    let third = try await engine(kind.path)
    #expect(try await isUnusable("chat", store, with: third))
    let anew = try await generate(next, with: third)
    #expect(anew.reply == wanted.reply && anew.reused == 0)
  }

  private func isUnusable(
    _ name: String, _ store: SessionStore, with engine: CPUEngine
  ) async throws -> Bool {
    guard
      case .unusable(let reason) =
        try await engine.restoreSession(name, of: [1], from: store)
    else {
      return false
    }
    return reason.contains(store.path(name)) && !reason.contains("\n")
  }
}
