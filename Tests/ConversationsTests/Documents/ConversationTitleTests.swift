import Conversations
import Testing

@Suite struct ConversationTitleTests {
  @Test(arguments: [
    ("Hello", "Hello"), ("\n\n  two \t words \nmore", "two words"),
    ("a\u{1B}[31mb\u{7}\u{202E}c", "a[31mbc"), ("漢字かな👩‍👩‍👧", "漢字かな👩‍👩‍👧"),
    (
      "What is the longest river in Europe, and which cities does it pass on its way?",
      "What is the longest river in Europe, and which cities does…"
    ),
    (String(repeating: "x", count: 100), String(repeating: "x", count: 60) + "…"),
  ])
  func madeOfTheFirstLine(_ text: String, _ title: String) {
    #expect(ConversationTitle.make(from: text) == title)
  }

  @Test func nothingToSeeIsNoTitle() {
    #expect(ConversationTitle.make(from: " \n\u{1B}\u{7}\n") == nil)
    #expect(ConversationTitle.chosen(" \u{0} ") == nil)
    #expect(ConversationTitle.chosen("two\nlines") == "two lines")
  }
}
