import Testing
import Tokenizers

@Suite struct PreTokenizerTests {
  @Test(arguments: [
    (
      "qwen2", "I'M 12 x̄ a  b\n\n c",
      ["I", "'M", " ", "1", "2", " x", "̄", " a", " ", " b", "\n\n", " c"]
    ),
    ("qwen35", "I'M 12 x̄", ["I", "'M", " ", "1", "2", " x̄"]),
    ("smollm", "I'm a 12x  y", ["I", "'m", " a", " ", "1", "2", "x", " ", " y"]),
    ("gpt-2", "I'M a 123x ½", ["I", "'", "M", " a", " 123", "x", " ½"]),
    ("default", " 12", [" 12"]),
    ("llama-bpe", "12345 we'LL", ["123", "45", " we", "'LL"]),
    ("qwen2", "a\u{85}\u{3000}b\u{180E}c", ["a", "\u{85}", "\u{3000}b", "\u{180E}c"]),
    ("qwen2", "x\u{3000}\u{3000}", ["x", "\u{3000}\u{3000}"]),
  ])
  func cutsAsNamed(name: String, text: String, expected: [String]) throws {
    #expect(try PreTokenizer.named(name).preTokenizer.pieces(of: text) == expected)
  }

  @Test(arguments: ["gpt-4o", "", "QWEN2", nil])
  func refusesUnknownNames(name: String?) {
    #expect(throws: TokenizerError.unknownPreTokenizer(name)) { try PreTokenizer.named(name) }
  }

  @Test(arguments: [
    (PreTokenizer.Behaviour.isolated, false, ["the", "-", "final", "-", "-", "countdown"]),
    (.removed, false, ["the", "final", "countdown"]),
    (.mergedWithPrevious, false, ["the-", "final-", "-", "countdown"]),
    (.mergedWithNext, false, ["the", "-final", "-", "-countdown"]),
    (.contiguous, false, ["the", "-", "final", "--", "countdown"]),
    (.removed, true, ["-", "-", "-"]),
  ])
  func joinsMatchesAndGaps(
    behaviour: PreTokenizer.Behaviour, inverted: Bool, expected: [String]
  ) throws {
    let stage = PreTokenizer.Stage("-", behaviour, inverted: inverted)
    #expect(try PreTokenizer([stage]).pieces(of: "the-final--countdown") == expected)
  }

  @Test func cutsAtEmptyMatches() throws {
    #expect(try PreTokenizer([.init(#"(?=\d)|x*"#)]).pieces(of: "ab1é") == ["a", "b", "1", "é"])
  }

  @Test func laterStagesSeeOnlyTheirPiece() throws {
    let preTokenizer = PreTokenizer([.init("1"), .init(#"\s+(?!\S)|\S+"#)])
    #expect(try preTokenizer.pieces(of: "a  1") == ["a", "  ", "1"])
  }

  @Test(arguments: [
    (#"\h"#, #"\h"#), (#"a\Kb"#, #"\K"#), (#"(a)\1"#, #"\1"#), ("(?<n>a)", "(?<n"),
    ("(*LIMIT_MATCH=9)a", "(*"), ("[a&&[b]]", "&&"), ("[a[b]]", "[ inside [ ]"),
    (#"[\W]"#, #"\W"#), (#"\X"#, #"\X"#), (#"\C"#, #"\C"#), ("a{1,99999}", "{1,99999"),
    ("a{,3}", "{,3"), ("a{2}+", "{2}+"), ("(?R)", "(?R)"), (#"\pL"#, #"\p without {}"#),
    (#"\x{110000}"#, #"\x110000"#), (#"\Qa\E"#, #"\Q"#), ("[]a]", "[]"), ("(?s:.)", "(?s:"),
  ])
  func refusesWhatWouldMeanSomethingElse(pattern: String, construct: String) {
    #expect(throws: TokenizerError.unsupportedPattern(pattern, construct: construct)) {
      try Tokenizer(.tiny(preTokenizer: PreTokenizer([.init(pattern)])))
    }
  }

  @Test(arguments: ["(", "a)", "[a", "*", #"\"#, #"\p{"#, #"\p{Nonsense}"#, "[z-a]", "(?<=a*)b"])
  func refusesWrongPatterns(pattern: String) {
    #expect {
      try Tokenizer(.tiny(preTokenizer: PreTokenizer([.init(pattern)])))
    } throws: {
      guard case TokenizerError.invalidPattern(pattern, _, _) = $0 else { return false }
      return true
    }
  }

  @Test(arguments: [
    (#"\s"#, "\u{180E}\u{85}\u{200B}", ["\u{180E}", "\u{85}", "\u{200B}"]),
    (#"[^\s]+"#, "a\u{180E}\u{1680}b", ["a\u{180E}", "\u{1680}", "b"]),
    (#"[\S\n]+"#, "a\n\tb", ["a\n", "\t", "b"]),
    (#"\w+"#, "a_\u{301}1-", ["a_\u{301}1", "-"]),
    (#"\W+"#, "a--b", ["a", "--", "b"]),
    (#"[\w\d]+|\D"#, "é9-", ["é9", "-"]),
    (#"\x41\u0042\x{43}\v"#, "ABC\u{b}D", ["ABC\u{b}", "D"]),
    (#"[\]\-\^a]+"#, "x]-^ay", ["x", "]-^a", "y"]),
    (#"^a$"#, "b\na\nb", ["b\n", "a", "\nb"]),
    ("(?i:ß)", "xẞ", ["x", "ẞ"]),
    ("a++b?+c{2}d{0,3}(?>e)", "aabccddde!", ["aabccddde", "!"]),
    (".", "a\rb\n", ["a", "\r", "b", "\n"]),
  ])
  func keepsTheMeaning(pattern: String, text: String, expected: [String]) throws {
    #expect(try PreTokenizer([.init(pattern)]).pieces(of: text) == expected)
  }

  @Test func stopsAPatternGoneWild() throws {
    let tokenizer = try Tokenizer(.tiny(preTokenizer: PreTokenizer([.init("(?:a|a)*(?:a|a)*b")])))
    #expect {
      try tokenizer.encode(String(repeating: "a", count: 1000) + "cb", .matched)
    } throws: {
      guard case TokenizerError.patternFailed(_, 0, _) = $0 else { return false }
      return true
    }
  }

  /// More than the stack of PCRE2's machine code holds.
  @Test func matchesWhatNeedsRoom() throws {
    let text = String(repeating: "ab", count: 5000)
    let preTokenizer = PreTokenizer([.init("(?:(a)|b)*c")])
    #expect(try preTokenizer.pieces(of: text + "c") == [text + "c"])
  }

  @Test func stopsAPatternThatNestsDeeply() throws {
    let tokenizer = try Tokenizer(.tiny(preTokenizer: PreTokenizer([.init("(?:(a)|b)*c")])))
    #expect {
      try tokenizer.encode(String(repeating: "ab", count: 1 << 19) + "xc", .matched)
    } throws: {
      guard case TokenizerError.patternFailed = $0 else { return false }
      return true
    }
  }
}
