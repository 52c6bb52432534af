import Inference
import Testing

@Suite struct ContextTests {
  @Test func admitsUpToTheLastToken() throws {
    let window = ContextWindow(length: 2048, modelLength: 8192)
    #expect(try window.admit(promptTokens: 2000, replyTokens: 48) == 48)
    #expect(try window.admit(promptTokens: 100, replyTokens: nil) == 1948)
    #expect(try window.admit(promptTokens: 1984, replyTokens: nil) == 64)
    for (prompt, reply) in [(2000, 49), (1985, nil), (2049, 0), (Int.max, Int.max)] {
      #expect(throws: MemoryRefusal.self) {
        try window.admit(promptTokens: prompt, replyTokens: reply)
      }
    }
  }

  @Test func tinyContextsStillAnswer() throws {
    let window = ContextWindow(length: 16, modelLength: 16)
    #expect(try window.admit(promptTokens: 14, replyTokens: nil) == 2)
    #expect(throws: MemoryRefusal.self) {
      try window.admit(promptTokens: 15, replyTokens: nil)
    }
  }

  @Test func refusalSaysWhatThereIs() {
    let short = MemoryRefusal.context(
      ContextShortage(
        promptTokens: 250_000, replyTokens: 64, contextLength: 8192, modelContextLength: 8192))
    #expect(
      short.description == """
        The prompt has 250,000 tokens and the reply needs 64, which is more than the context of \
        8,192; the model has no larger one.
        """)
    let larger = MemoryRefusal.context(
      ContextShortage(
        promptTokens: 5000, replyTokens: 64, contextLength: 2048, modelContextLength: 32768))
    #expect(
      larger.description == """
        The prompt has 5,000 tokens and the reply needs 64, which is more than the context of \
        2,048; the model has up to 32,768 (-c/--context).
        """)
  }

  @Test func ladder() {
    #expect(ContextLadder.rungs(modelLength: 8192) == [2048, 4096, 8192])
    #expect(ContextLadder.rungs(modelLength: 40960) == [2048, 4096, 8192, 16384, 32768, 40960])
    #expect(ContextLadder.rungs(modelLength: 512) == [512])
  }

  @Test func defaultIsTheLargestRungThatFitsWell() {
    func length(_ free: Int) -> Int {
      ContextLadder.defaultLength(
        MemoryBudgetTests.bonsai8B, modelLength: 65536,
        on: MachineMemory(capacity: 4 * gigabyte, free: free))
    }
    #expect(length(40 * gigabyte) == 65536)
    #expect(length(6 * gigabyte) == 16384)
    #expect(length(2_500_000_000) == 2048)
    // No rung fits well: as much as fits at all; none does: the lowest, to be refused.
    #expect(length(1_500_000_000) == 832)
    #expect(length(gigabyte) == 2048)
  }

  @Test func verdicts() {
    func verdict(_ free: Int, modelLength: Int = 4096) -> FitVerdict {
      FitVerdict(
        MemoryBudgetTests.bonsai8B, positions: 4096, modelLength: modelLength,
        on: MachineMemory(capacity: 4 * gigabyte, free: free))
    }
    #expect(verdict(4 * gigabyte) == .comfortable)
    #expect(verdict(2_200_000_000) == .tight(largestContext: 4096))
    // What fits tightly may fit with more: the verdict's own context is not the largest.
    guard case .tight(let largest) = verdict(2_200_000_000, modelLength: 65536) else {
      Issue.record("\(verdict(2_200_000_000, modelLength: 65536))")
      return
    }
    #expect(largest > 4096 && largest < 16384)
    #expect(verdict(1_800_000_000) == .tight(largestContext: 2880))
    #expect(verdict(gigabyte) == .tooLarge)
  }
}

@Suite struct ByteCountTests {
  @Test(arguments: [
    (0, "0 B"), (-4, "0 B"), (999, "999 B"), (1000, "1.00 kB"), (1234, "1.23 kB"),
    (9_994, "9.99 kB"), (9_996, "10.0 kB"), (99_949, "99.9 kB"), (99_951, "100 kB"),
    (267_400_000, "267 MB"), (999_499, "999 kB"), (999_500, "1.00 MB"),
    (98_123_456, "98.1 MB"), (1_160_000_000, "1.16 GB"), (5_130_000_000, "5.13 GB"),
    (Int.max, "9.22 EB"),
  ])
  func decimalUnits(count: Int, text: String) {
    #expect(ByteCount.text(count) == text)
  }

  @Test func grouping() {
    #expect(
      [0, 999, 1000, 65536, -1_234_567].map(\.grouped)
        == ["0", "999", "1,000", "65,536", "-1,234,567"])
  }
}
