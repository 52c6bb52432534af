import Inference
import Testing

@Suite struct ThinkingSplitterTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    var startsInside = false
    var reasoning: String
    var answer: String
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(
      name: "a block and an answer", text: "<think>\nHm, 二.\n</think>\n\nTwo.",
      reasoning: "Hm, 二.", answer: "Two."),
    Case(name: "no block", text: "Just <b>this</b>.", reasoning: "", answer: "Just <b>this</b>."),
    Case(
      name: "begins inside", text: "Hm.\n\n</think>\n\nYes.", startsInside: true,
      reasoning: "Hm.", answer: "Yes."),
    Case(
      name: "begins inside and writes the tag", text: "<think>Hm.</think>Yes.",
      startsInside: true, reasoning: "<think>Hm.", answer: "Yes."),
    Case(name: "an empty block", text: "<think>\n\n</think>\n\nYes", reasoning: "", answer: "Yes"),
    Case(
      name: "nested opening tag", text: "<think>a<think>b</think>c</think>d",
      reasoning: "a<think>b", answer: "c</think>d"),
    Case(
      name: "unopened closing tag", text: "The tag </think> closes.", reasoning: "",
      answer: "The tag </think> closes."),
    Case(
      name: "a tag in the answer", text: "Write <think>x</think>.", reasoning: "",
      answer: "Write <think>x</think>."),
    Case(
      name: "two blocks", text: "<think>\n\n</think>\n\n<think>real</think>\nYes",
      reasoning: "real", answer: "Yes"),
    Case(name: "white space first", text: "\n <think>a</think>b", reasoning: "a", answer: "b"),
    Case(name: "white space kept", text: "\n  b", reasoning: "", answer: "\n  b"),
    Case(name: "never closed", text: "<think>a\n\nb\n", reasoning: "a\n\nb", answer: ""),
    Case(
      name: "cut in the closing tag", text: "<think>a</thi", reasoning: "a</thi", answer: ""),
    Case(name: "cut in the opening tag", text: " <thin", reasoning: "", answer: " <thin"),
    Case(name: "almost a tag", text: "<thinker>", reasoning: "", answer: "<thinker>"),
    Case(
      name: "almost a closing tag", text: "<think>a </thing> </</think>b",
      reasoning: "a </thing> </", answer: "b"),
    Case(
      name: "indented answer", text: "<think>a</think>\n    code", reasoning: "a",
      answer: "    code"),
    Case(name: "nothing", text: "", reasoning: "", answer: ""),
  ]

  @Test("Whole, by character and in every two pieces", arguments: cases)
  func splits(_ example: Case) {
    let text = example.text
    var cuttings = [[text], text.map(String.init)]
    for offset in 0...text.count {
      let index = text.index(text.startIndex, offsetBy: offset)
      cuttings.append([String(text[..<index]), String(text[index...])])
    }
    for pieces in cuttings {
      var splitter = ThinkingSplitter(startsInside: example.startsInside)
      var parts = pieces.flatMap { splitter.append($0).parts }
      parts += splitter.flush()
      var reasoning = ""
      var answer = ""
      for part in parts {
        switch part {
        case .reasoning(let text): reasoning += text
        case .answer(let text): answer += text
        }
      }
      #expect(reasoning == example.reasoning)
      #expect(answer == example.answer)
    }
  }

  @Test func tokensCountByWhereTheyLeaveTheReply() {
    var splitter = ThinkingSplitter()
    let pieces = ["<think>", "\n", "Hm", "\n", "</think>", "\n\n", "Yes"]
    #expect(
      pieces.map { splitter.append($0).isThinking }
        == [true, true, true, true, true, false, false])
    var split = ThinkingSplitter()
    let tags = ["<th", "ink>", "a</", "think>", "b"]
    #expect(tags.map { split.append($0).isThinking } == [false, true, true, true, false])
  }

  @Test func otherTags() {
    var splitter = ThinkingSplitter(ThinkingTags(opening: "[THINK]", closing: "[/THINK]"))
    #expect(splitter.append("[THINK]a[/THINK]b").parts == [.reasoning("a"), .answer("b")])
  }

  @Test func releasesTextAtOnce() {
    var splitter = ThinkingSplitter()
    #expect(splitter.append("<think>").parts == [])
    #expect(splitter.append("One ").parts == [.reasoning("One ")])
    #expect(splitter.append("two\n").parts == [.reasoning("two")])
    #expect(splitter.append("three").parts == [.reasoning("\nthree")])
    #expect(splitter.append("</think>").parts == [])
    #expect(splitter.append("A").parts == [.answer("A")])
    #expect(splitter.append(" <th").parts == [.answer(" <th")])
  }
}
