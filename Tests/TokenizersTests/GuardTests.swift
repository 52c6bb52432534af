import TestSupport
import Testing
import Tokenizers

/// Control tokens never come from guarded content, and nothing else changes.
@Suite struct GuardTests {
  /// Literals that overlap, contain one another, begin as others end, or have one character.
  static let special: [(String, TokenKind)] = [
    ("<|im_end|>", .control), ("<|im_start|>", .control), ("<|", .control), ("|><|", .control),
    ("<s>", .unknown), ("aba", .control), ("bab", .userDefined), ("é", .control),
    ("<think>", .userDefined), ("x<s>", .userDefined), ("| |", .control), ("§§", .control),
  ]

  static let parts = [
    "<|im_end|>", "<|im_start|>", "<|", "|>", "<|im_", "end|>", "<", ">", "|", "<s>", "s", "aba",
    "bab", "a", "b", "é", "e\u{301}", "<think>", "x", " ", "\n", "  ", "§", "text", "\u{A0}",
    noncharacter, secondNoncharacter, noncharacter + noncharacter,
  ]

  /// Literals that do not contain one another, and no white space.
  static let ordinary: [(String, TokenKind)] = [
    ("<|im_end|>", .control), ("<|im_start|>", .control), ("aba", .control), ("§§", .control),
    ("é", .control), ("<think>", .userDefined),
  ]

  static func tokenizer(_ special: [(String, TokenKind)] = special) throws -> Tokenizer {
    try Tokenizer(
      .tiny(merges: MergingTests.merges, special: special, preTokenizer: .qwen2, normaliser: .nfc))
  }

  static func text(_ generator: inout SeededGenerator, parts count: Int) -> String {
    (0..<count).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
  }

  @Test(arguments: 0..<40)
  func contentAloneIsPlainText(seed: Int) throws {
    let tokenizer = try Self.tokenizer()
    var generator = SeededGenerator(seed: UInt64(seed))
    for length in 0..<25 {
      let content = Self.text(&generator, parts: length)
      let ids = try tokenizer.encode(tokenizer.guarding(content), .guarded)
      #expect(ids == (try tokenizer.encode(content, .text)), "\(content.debugDescription)")
    }
  }

  /// Whole literals of the frame are tokens, and what the contents hold, or make together with
  /// what is around them, is not.
  @Test(arguments: 0..<40)
  func contentInATemplateIsPlainText(seed: Int) throws {
    let tokenizer = try Self.tokenizer()
    var generator = SeededGenerator(seed: UInt64(1000 + seed))
    for length in 0..<25 {
      let contents = (0..<3).map { _ in Self.text(&generator, parts: length % 9) }
      let guarded = contents.map { tokenizer.guarding($0) }
      for separator in ["", "<|im_end|>\n", "|>", "<|im_", " "] {
        let ids = try tokenizer.encode(
          "<|im_start|>" + guarded.joined(separator: separator) + "<|im_end|>", .guarded)
        // One for each literal of the frame.
        let separators = separator == "<|im_end|>\n" ? 2 : separator == "<|im_" ? 2 : 0
        #expect(ids.count(where: tokenizer.isControl) == 2 + separators, "\(contents)")
        #expect(
          tokenizer.decode(ids, skippingControl: false)
            == "<|im_start|>" + contents.map(tokenizer.normal).joined(separator: separator)
            + "<|im_end|>")
      }
    }
  }

  @Test(arguments: [
    ("<|im_", "end|>"), ("<", "|im_end|>"), ("<|im_end|", ">"), ("a", "ba"), ("ab", "a"),
    ("§", "§"), ("é", "e"), ("<|im_end|>", "<|im_end|>"), ("x<|", "im_end|>"),
    (noncharacter, noncharacter), ("<" + noncharacter, noncharacter + "|"),
    ("<", secondNoncharacter),
  ])
  func nothingFormsBetweenContents(first: String, second: String) throws {
    let tokenizer = try Self.tokenizer(Self.ordinary)
    for (left, right) in [(first, second), (first + " \n", " " + second)] {
      // As a template that trims joins them.
      let joined =
        tokenizer.guarding(left).trimmed + tokenizer.guarding(right).trimmed
      #expect(
        try tokenizer.encode(joined, .guarded) == tokenizer.encode(first + second, .text))
    }
  }

  @Test(arguments: [("<|im_", "en", "d|>"), ("<", "|", ""), ("a", "b", "a"), ("§", "§", "")])
  func nothingFormsWithTheTemplate(before: String, content: String, after: String) throws {
    let tokenizer = try Self.tokenizer(Self.ordinary)
    let ids = try tokenizer.encode(before + tokenizer.guarding(content) + after, .guarded)
    #expect(ids == (try tokenizer.encode(before + content + after, .text)))
  }

  @Test func templateTokensBesideContentAreKept() throws {
    let tokenizer = try Self.tokenizer(Self.ordinary)
    for content in ["<", "<|im_end|", noncharacter, secondNoncharacter, "é", "", "§", ">"] {
      let text = "<|im_start|>" + tokenizer.guarding(content) + "<|im_end|>"
      let ids = try tokenizer.encode(text, .guarded)
      #expect(ids.first == tokenizer.id(of: "<|im_start|>"))
      #expect(ids.last == tokenizer.id(of: "<|im_end|>"))
      #expect(Array(ids[1..<ids.count - 1]) == (try tokenizer.encode(content, .text)))
    }
  }

  @Test func leavesHarmlessTextAlone() throws {
    let tokenizer = try Family.qwen3.tokenizer()
    for content in [
      "hello", "a <b> c", "<think>x</think>", "<tool_response>\n{}\n</tool_response>",
    ] {
      #expect(tokenizer.guarding(content) == content)
    }
  }

  @Test func idsAreThoseOfTheWholeString() throws {
    let tokenizer = try Family.qwen3.tokenizer()
    for content in ["hi\n", "\n\nhi", "  two  spaces ", "<", "a < b", "e\u{301}", "12", "don't "] {
      let text = "<|im_start|>user\n" + content + "<|im_end|>\n<|im_start|>assistant\n"
      let guarded =
        "<|im_start|>user\n" + tokenizer.guarding(content)
        + "<|im_end|>\n<|im_start|>assistant\n"
      #expect(try tokenizer.encode(guarded, .guarded) == tokenizer.encode(text, .matched))
    }
  }
}

extension Tokenizer {
  /// `text` as plain text comes back.
  func normal(_ text: String) -> String {
    (try? decode(encode(text, .text), skippingControl: false)) ?? ""
  }
}

extension String {
  /// As Python's `strip()`.
  var trimmed: String {
    let kept = unicodeScalars.drop { $0.properties.isWhitespace }
    return String(
      String.UnicodeScalarView(kept.reversed().drop { $0.properties.isWhitespace }.reversed()))
  }
}
