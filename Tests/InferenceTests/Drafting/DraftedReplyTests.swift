import Foundation
import Inference
import TestSupport
import Testing
import Tokenizers

/// Replies with guesses against replies without: the same tokens, whatever the state is like.
struct DraftedReplyTests {
  private struct Outcome: Equatable {
    var replies: [[TokenID]] = []
    var accepted = 0
  }

  /// Several turns, of prompts that repeat themselves.
  private func talk(
    _ kind: StateKind, drafting: Drafting, temperature: Double, seed: UInt64
  ) async throws -> Outcome {
    let engine = CPUEngine()
    try await engine.load(
      ModelReference(
        name: "small", path: kind.path, options: ModelOptions(contextLength: 1024, threads: 2)),
      budget: MemoryBudget(isForced: true), progress: { _ in })
    var generator = SeededGenerator(seed: seed)
    var history: [TokenID] = []
    var outcome = Outcome()
    for turn in 0..<4 {
      let words = SmallModel.tokens(12, using: &generator)
      history += words + words + words.prefix(5)
      var sampling = SamplingParameters.greedy
      if temperature > 0 {
        sampling = SamplingParameters(temperature: temperature, topK: 4)
      }
      let parameters = GenerationParameters(
        maximumTokens: 60 + turn, sampling: sampling, seed: seed, stopsLoops: false,
        drafting: drafting, ignoresEndOfTurn: true)
      var reply: [TokenID] = []
      for try await event in engine.generate(history, parameters) {
        switch event {
        case .prefill: break
        case .reasoning(_, let tokens), .answer(_, let tokens), .toolCall(_, let tokens):
          reply += tokens
        case .finished(let statistics): outcome.accepted += statistics.acceptedDraftTokens ?? 0
        }
      }
      history += reply
      outcome.replies.append(reply)
    }
    return outcome
  }

  @Test(arguments: StateKind.allCases)
  func guessesChangeNothingButTheirNumber(kind: StateKind) async throws {
    for (temperature, seed) in [(0.0, 1), (0.0, 2), (0.4, 3)] as [(Double, UInt64)] {
      let plain = try await talk(kind, drafting: .off, temperature: temperature, seed: seed)
      let drafted = try await talk(kind, drafting: .always, temperature: temperature, seed: seed)
      #expect(drafted.replies == plain.replies, "\(kind), seed \(seed)")
      #expect(plain.accepted == 0)
    }
  }

  /// The model of the tree, a hybrid, goes on with a sentence that it has read four times.
  @Test func aHybridsGuessesComeTrue() async throws {
    let engine = CPUEngine()
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Catalog/bundled/pipit-180m-1bit").standardized.path
    try await engine.load(
      ModelReference(
        name: "bundled", path: folder, options: ModelOptions(contextLength: 512, threads: 2)),
      budget: MemoryBudget(isForced: true), progress: { _ in })
    let sentence = "The quick brown fox jumps over the lazy dog and runs into the dark forest. "
    let prompt = try engine.encode(String(repeating: sentence, count: 4), matchingControl: false)
    let plain = try await reply(prompt, with: engine, .off)
    let drafted = try await reply(prompt, with: engine, .always)
    #expect(drafted.tokens == plain.tokens)
    #expect(drafted.accepted > 20)
  }

  private func reply(
    _ prompt: [TokenID], with engine: CPUEngine, _ drafting: Drafting
  ) async throws -> (tokens: [TokenID], accepted: Int) {
    let parameters = GenerationParameters(
      maximumTokens: 60, sampling: .greedy, stopsLoops: false, drafting: drafting)
    var tokens: [TokenID] = []
    var accepted = 0
    for try await event in engine.generate(prompt, parameters) {
      switch event {
      case .prefill: break
      case .reasoning(_, let new), .answer(_, let new), .toolCall(_, let new): tokens += new
      case .finished(let statistics): accepted = statistics.acceptedDraftTokens ?? 0
      }
    }
    return (tokens, accepted)
  }
}
