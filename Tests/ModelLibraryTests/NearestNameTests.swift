import ModelLibrary
import Testing

@Suite struct NearestNameTests {
  @Test(arguments: [
    ("chta", "chat"), ("modles", "models"), ("RUN", "run"), ("bnech", "bench"), ("ru", "run"),
    ("tokenise", "tokenize"), ("helpp", "help"),
    ("tok", "tokenize"),
  ])
  func isFound(_ typed: String, _ meant: String) {
    let names = ["run", "chat", "models", "bench", "tokenize", "help"]
    #expect(nearestName(to: typed, in: names) == meant)
  }

  @Test(arguments: ["xyzzy", "", "conversation", "q"])
  func isNotInvented(_ typed: String) {
    #expect(nearestName(to: typed, in: ["run", "chat", "models"]) == nil)
  }
}
