import Inference
import TestSupport
import Testing
import Tokenizers

@Suite struct PromptLookupTests {
  @Test func whatFollowedBeforeIsGuessed() {
    var lookup = PromptLookup([1, 2, 3, 4, 5, 6, 9, 1, 2])
    #expect(lookup.guess(limit: 3) == [])
    lookup.append(3)
    #expect(lookup.guess(limit: 3) == [4, 5, 6])
    #expect(lookup.guess(limit: 2) == [4, 5])
    lookup.append(7)
    #expect(lookup.guess(limit: 3) == [])
  }

  @Test func theLatestPlaceCounts() {
    #expect(PromptLookup([1, 2, 3, 4, 1, 2, 3, 5, 1, 2, 3]).guess(limit: 1) == [5])
  }

  @Test func aRunGuessesItself() {
    #expect(PromptLookup([7, 7, 7, 7]).guess(limit: 3) == [7])
  }

  @Test func shortTextsHaveNoGuess() {
    #expect(PromptLookup([]).guess(limit: 3) == [])
    #expect(PromptLookup([1, 1]).guess(limit: 3) == [])
  }

  /// Against a search of everything, over random texts of few tokens.
  @Test func guessesAreWhatASearchFinds() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<20 {
      var lookup = PromptLookup([])
      for _ in 0..<600 {
        lookup.append(TokenID.random(in: 0..<5, using: &random))
        let tokens = lookup.tokens
        let guess = lookup.guess(limit: 3)
        if guess.isEmpty { continue }
        #expect(tokens[guess.startIndex - 3..<guess.startIndex].elementsEqual(tokens.suffix(3)))
      }
      #expect(!lookup.guess(limit: 3).isEmpty)
    }
  }
}

@Suite struct DraftPaceTests {
  @Test func guessesThatPayGoOn() {
    var pace = DraftPace()
    let isFirst = pace.allowsDraft()
    #expect(!isFirst)
    pace.addPlain(seconds: 0.010)
    for _ in 0..<100 {
      let goesOn = pace.allowsDraft()
      #expect(goesOn)
      pace.addDraft(seconds: 0.013, tokens: 3)
    }
  }

  @Test func guessesThatCostPauseLongerAndLonger() {
    var pace = DraftPace()
    pace.addPlain(seconds: 0.010)
    var drafts = 0
    for _ in 0..<1000 {
      if pace.allowsDraft() {
        drafts += 1
        pace.addDraft(seconds: 0.015, tokens: 1)
      } else {
        pace.addPlain(seconds: 0.010)
      }
    }
    #expect((2...20).contains(drafts))
  }

  /// A text that turns into a copy is noticed.
  @Test func aPauseEnds() {
    var pace = DraftPace()
    pace.addPlain(seconds: 0.010)
    for _ in 0..<300 where pace.allowsDraft() { pace.addDraft(seconds: 0.015, tokens: 1) }
    var allowed = 0
    for _ in 0..<2000 where pace.allowsDraft() {
      allowed += 1
      pace.addDraft(seconds: 0.015, tokens: 4)
    }
    #expect(allowed > 1000)
  }
}
