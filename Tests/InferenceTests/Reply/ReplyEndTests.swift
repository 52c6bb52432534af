import Foundation
import Inference
import Testing
import Tokenizers

@Suite struct EndOfTurnTests {
  @Test func unitesAllSources() {
    let tokens = EndOfTurn.tokens(
      configuration: [5], generationConfiguration: [5, 6], gguf: [7],
      named: [
        .init(name: "<|im_end|>", id: 8, isControl: true),
        .init(name: "<|endoftext|>", id: 9, isControl: false),
        .init(name: "</s>", id: 10, isControl: true),
      ],
      vocabularyCount: 100)
    #expect(tokens == [5, 6, 7, 8])
  }

  @Test func leavesOutWhatIsNoToken() {
    #expect(
      EndOfTurn.tokens(configuration: [-1, 0, 99, 100], vocabularyCount: 100) == [0, 99])
    #expect(EndOfTurn.tokens(vocabularyCount: 0).isEmpty)
  }
}

@Suite struct LoopDetectorTests {
  private func loop(in tokens: [TokenID]) -> (period: Int, after: Int)? {
    var detector = LoopDetector()
    for (index, token) in tokens.enumerated() {
      if let period = detector.append(token) { return (period, index + 1) }
    }
    return nil
  }

  private func repeated(_ period: Int, _ count: Int, after prefix: Int = 0) -> [TokenID] {
    (0..<prefix).map { TokenID(10_000 + $0) } + (0..<count).map { TokenID($0 % period) }
  }

  @Test(arguments: [1, 2, 3, 31, 32, 33, 100, 128, 129, 300, 512])
  func noticesEveryPeriod(period: Int) throws {
    let found = try #require(loop(in: repeated(period, 4000, after: 77)))
    #expect(found.period == period)
    #expect(found.after == 77 + max(256, (period <= 128 ? 8 : 4) * period))
  }

  @Test func leavesShorterRunsAlone() {
    #expect(loop(in: repeated(1, 255)) == nil)
    #expect(loop(in: repeated(100, 799)) == nil)
    #expect(loop(in: repeated(129, 515)) == nil)
    #expect(loop(in: repeated(513, 6000)) == nil)
    #expect(loop(in: (0..<4000).map { TokenID($0) }) == nil)
  }

  /// A reply of a model, and whether it ended in a loop.
  private struct Reply: Decodable {
    let prompt: String
    let loops: Bool
    let tokens: [TokenID]
  }

  /// What SmolLM2 and a 1-bit model said: stories that go in circles, and lists, tables and code
  /// that only look alike.
  @Test func tellsRealLoopsFromRealReplies() throws {
    let url = try #require(
      Bundle.module.url(
        forResource: "replies", withExtension: "json", subdirectory: "Fixtures/loops"))
    let replies = try JSONDecoder().decode([Reply].self, from: Data(contentsOf: url))
    #expect(replies.contains { $0.loops } && replies.contains { !$0.loops })
    for reply in replies {
      #expect((loop(in: reply.tokens) != nil) == reply.loops, "\(reply.prompt)")
    }
  }

  /// Text that repeats itself as much as text rightly does, a byte a token.
  @Test(arguments: [
    (0..<60).map { "| \($0) | \($0 * $0) |" }.joined(separator: "\n"),
    (0..<40).map { "- [ ] item \($0)" }.joined(separator: "\n"),
    (0..<30).map { "    case \($0): return values[\($0)]" }.joined(separator: "\n"),
    (0..<8).map { _ in "[0, 0, 0, 0, 0, 0, 0, 0]," }.joined(separator: "\n"),
    (1...7).map { "Verse \($0)\n" + "And the river runs on to the sea.\n" }.joined(),
    String(repeating: "-", count: 200),
  ])
  func leavesTablesListsAndCodeAlone(_ text: String) {
    #expect(loop(in: text.utf8.map { TokenID($0) }) == nil)
  }

  @Test func aBreakBeginsAnew() {
    let tokens = repeated(4, 250) + [77] + repeated(4, 250)
    #expect(loop(in: tokens) == nil)
  }
}

@Suite struct ThinkingBudgetTests {
  @Test func imposesTheClosingOnce() {
    var budget = ThinkingBudget(limit: 3, closing: [50, 51])
    var taken: [TokenID?] = []
    for isThinking in [true, true, true, true, true, false, true, true] {
      taken.append(budget.next(isThinking: isThinking))
    }
    #expect(taken == [nil, nil, nil, 50, 51, nil, nil, nil])
    #expect(budget.hasClosed)
  }

  @Test func theClosingIsFinishedEvenIfTheTagEndsEarlier() {
    var budget = ThinkingBudget(limit: 0, closing: [50, 51, 52])
    #expect(budget.next(isThinking: true) == 50)
    #expect(budget.next(isThinking: true) == 51)
    #expect(budget.next(isThinking: false) == 52)
    #expect(budget.next(isThinking: false) == nil)
  }

  @Test func answersAreNotCounted() {
    var budget = ThinkingBudget(limit: 2, closing: [50])
    #expect((0..<10).allSatisfy { _ in budget.next(isThinking: false) == nil })
    #expect(!budget.hasClosed)
    var none = ThinkingBudget(limit: nil, closing: [50])
    #expect((0..<10).allSatisfy { _ in none.next(isThinking: true) == nil })
  }

  @Test func leavesRoomForTheAnswer() {
    #expect(ThinkingBudget.limit(asked: nil, replyTokens: nil, closingCount: 5) == nil)
    #expect(ThinkingBudget.limit(asked: 10, replyTokens: 4096, closingCount: 5) == 10)
    #expect(ThinkingBudget.limit(asked: nil, replyTokens: 4096, closingCount: 5) == 3835)
    #expect(ThinkingBudget.limit(asked: 9000, replyTokens: 100, closingCount: 5) == 70)
    #expect(ThinkingBudget.limit(asked: nil, replyTokens: 4, closingCount: 5) == 0)
  }
}
