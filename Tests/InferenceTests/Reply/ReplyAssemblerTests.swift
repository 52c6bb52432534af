import Inference
import Testing
import Tokenizers

@Suite struct ReplyAssemblerTests {
  private func run(
    _ pieces: [String], stops: [String] = [], tags: ThinkingTags? = ThinkingTags(),
    startsInside: Bool = false, tail: String = ""
  ) -> (events: [GenerationEvent], assembler: ReplyAssembler) {
    var assembler = ReplyAssembler(
      stopStrings: stops, tags: tags, startsInsideThinking: startsInside)
    var events: [GenerationEvent] = []
    for (index, piece) in pieces.enumerated() {
      assembler.append(piece, token: TokenID(index), into: &events)
      if assembler.hasStopped { break }
    }
    assembler.finish(tail: tail, into: &events)
    return (events, assembler)
  }

  @Test func thinkingThenAnswer() {
    let (events, assembler) = run(["<think>", "\nHm", "\n", "</think>", "\n\n", "Yes", "!"])
    #expect(
      events == [
        .reasoning("", [0]), .reasoning("Hm", [1]), .reasoning("", [2]), .reasoning("", [3]),
        .answer("", [4]), .answer("Yes", [5]), .answer("!", [6]),
      ])
    #expect(assembler.reasoningTokens == 4)
    #expect(assembler.hasAnswer)
  }

  @Test func tokensAreNeverHeldBack() {
    let pieces = ["He", "", "llo ", "E", "N", "x", "", "E", "ND", "more"]
    let (events, assembler) = run(pieces, stops: ["END"])
    #expect(assembler.hasStopped)
    #expect(events.flatMap(\.tokens) == Array(0...8).map { TokenID($0) })
    #expect(events.map(\.text).joined() == "Hello ENx")
    // Each append brings its own token at once.
    #expect(events[3] == .answer("", [3]))
    #expect(events[5] == .answer("ENx", [5]))
  }

  @Test func stopStringsAreAboutTheAnswer() {
    let (events, assembler) = run(["<think>", "a\n\nb", "</think>", "c\n", "\nd"], stops: ["\n\n"])
    #expect(assembler.hasStopped)
    #expect(events.map(\.text).joined() == "a\n\nbc")
  }

  @Test func oneTokenWithBothKinds() {
    let (events, _) = run(["a</think>b", "c"], startsInside: true)
    #expect(events == [.reasoning("a", [0]), .answer("b", []), .answer("c", [1])])
  }

  @Test func withoutTagsAllIsAnswer() {
    let (events, assembler) = run(["<think>", "a"], tags: nil)
    #expect(events == [.answer("<think>", [0]), .answer("a", [1])])
    #expect(!assembler.isThinking)
  }

  @Test func finishReleasesWhatWasHeld() {
    let (events, _) = run(["a", " E", "N"], stops: ["END"], tail: "\u{fffd}")
    #expect(events.map(\.text).joined() == "a EN\u{fffd}")
    #expect(events.flatMap(\.tokens) == [0, 1, 2])
    let (thinking, assembler) = run(["<think>", "a</th"])
    #expect(thinking.last == .reasoning("</th", []))
    #expect(!assembler.hasAnswer)
    #expect(assembler.isThinking)
  }

  @Test func whiteSpaceIsNoAnswer() {
    #expect(!run(["<think>", "a", "</think>", "\n", " "]).assembler.hasAnswer)
  }
}

extension GenerationEvent {
  var text: String {
    switch self {
    case .reasoning(let text, _), .answer(let text, _): text
    case .prefill, .toolCall, .finished: ""
    }
  }

  var tokens: [TokenID] {
    switch self {
    case .reasoning(_, let tokens), .answer(_, let tokens), .toolCall(_, let tokens): tokens
    case .prefill, .finished: []
    }
  }
}
