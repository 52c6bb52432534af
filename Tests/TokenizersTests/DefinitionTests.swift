import Foundation
import Testing
import Tokenizers

/// What is wrong with a definition is said, with the numbers.
@Suite struct DefinitionTests {
  private func expect(
    _ error: TokenizerError, _ definition: TokenizerDefinition,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: error, sourceLocation: sourceLocation) { try Tokenizer(definition) }
  }

  private func definition(
    merges: [String], pieces: [String] = ["a", "b", "ab", "Ġ"]
  ) -> TokenizerDefinition {
    TokenizerDefinition(
      model: .byteLevel(merges: .joined(ByteStrings(merges)), ignoresMerges: false),
      pieces: ByteStrings(pieces), kinds: pieces.map { _ in .normal },
      preTokenizer: PreTokenizer([]))
  }

  @Test func refusesWrongVocabularies() {
    expect(.emptyVocabulary, definition(merges: [], pieces: []))
    expect(
      .duplicatePiece("b", first: 1, second: 3),
      definition(merges: [], pieces: ["a", "b", "c", "b"]))
    var uneven = definition(merges: [])
    uneven.kinds.removeLast()
    expect(.countMismatch(of: "token types", count: 3, pieces: 4), uneven)
    var role = definition(merges: [])
    role.roles.end = 4
    expect(.roleOutside(role: "end-of-text", id: 4, pieces: 4), role)
    role.roles.end = -1
    expect(.roleOutside(role: "end-of-text", id: -1, pieces: 4), role)
  }

  /// Rules are read in batches, and those of the two halves at once.
  @Test func theWrongRuleOfTheLeastRankIsTold() {
    func merges(_ wrong: [Int: String]) -> [String] {
      (0..<2_000).map { wrong[$0] ?? "a b" }
    }
    expect(
      .unknownMergePart(rank: 300, "c"), definition(merges: merges([300: "a c", 1_900: "ab"])))
    expect(
      .unknownMergePart(rank: 300, "c"), definition(merges: merges([300: "a c", 1_900: "b a"])))
    expect(.unknownMergeResult(rank: 1_900, "ba"), definition(merges: merges([1_900: "b a"])))
    expect(
      .malformedMerge(rank: 299, "ab"), definition(merges: merges([299: "ab", 300: "a c"])))
    expect(
      .malformedMerge(rank: 1_999, "ab"), definition(merges: merges([1_999: "ab"])))
  }

  @Test func refusesWrongMerges() {
    expect(.unknownMergePart(rank: 1, "c"), definition(merges: ["a b", "a c"]))
    expect(.unknownMergePart(rank: 0, "c"), definition(merges: ["c a"]))
    expect(.unknownMergeResult(rank: 0, "ba"), definition(merges: ["b a"]))
    expect(.malformedMerge(rank: 0, "ab"), definition(merges: ["ab"]))
    expect(.malformedMerge(rank: 0, ""), definition(merges: [""]))
    expect(.malformedMerge(rank: 0, " a"), definition(merges: [" a"]))
    expect(.malformedMerge(rank: 0, "a "), definition(merges: ["a "]))
    expect(.unknownMergePart(rank: 0, "b c"), definition(merges: ["a b c"]))
  }

  @Test func refusesWrongSpecialTokens() {
    expect(.emptyLiteral(id: 256), .tiny(special: [("", .control)]))
    expect(
      .literalTooLong(id: 256, count: 513, limit: 512),
      .tiny(special: [(String(repeating: "a", count: 513), .userDefined)]))
    expect(.literalHoldsGuard(id: 256), .tiny(special: [("<" + noncharacter, .control)]))
    expect(
      .duplicatePiece("<s>", first: 256, second: 257),
      .tiny(special: [("<s>", .control), ("<s>", .userDefined)]))
  }

  /// A literal that would match inside a character.
  @Test func literalsOfHalfCharactersMatchNothing() throws {
    var definition = TokenizerDefinition.tiny(preTokenizer: .qwen2, normaliser: .nfc)
    for half in [[0xA9], [0xC3], [0xF0, 0x9F, 0x98]] as [[UInt8]] {
      definition.pieces.append(half)
      definition.kinds.append(half.count > 1 ? .userDefined : .control)
    }
    let tokenizer = try Tokenizer(definition)
    #expect(try tokenizer.encode("é😀", .matched) == "é😀".utf8.map { TokenID($0) })
    #expect(tokenizer.guarding("é😀") == "é😀")
    #expect(tokenizer.decode([257, 256], skippingControl: false) == "é")
  }

  @Test func refusesUnknownNames() {
    func make(_ model: String, _ pre: String?, _ types: [Int32]) throws -> TokenizerDefinition {
      try TokenizerDefinition(
        ggufModel: model, pre: pre, tokens: ByteStrings(["a"]), types: types,
        merges: ByteStrings())
    }
    #expect(throws: TokenizerError.unknownModel("bert")) { try make("bert", nil, [1]) }
    #expect(throws: TokenizerError.unknownPreTokenizer("x")) { try make("gpt2", "x", [1]) }
    #expect(throws: TokenizerError.unknownPreTokenizer(nil)) { try make("gpt2", nil, [1]) }
    for kind: Int32 in [7, -1, .max, 263] {
      #expect(throws: TokenizerError.unknownTokenKind(id: 0, kind: Int(kind))) {
        try make("gpt2", "qwen2", [kind])
      }
    }
  }

  /// A control token that merges would make stays out of plain text.
  @Test func mergesMakeNoControlToken() throws {
    var definition = TokenizerDefinition.tiny(merges: [("<", "s"), ("<s", ">"), ("<s>", "!")])
    definition.kinds[257] = .control
    let tokenizer = try Tokenizer(definition)
    #expect(try tokenizer.encode("<s>!", .text) == [256, 0x3E, 0x21])
    #expect(try tokenizer.encode("<s>!", .matched) == [257, 0x21])
  }

  /// As in SmolLM2, whose vocabulary lacks bytes that its training text lacked.
  @Test func bytesWithoutAPieceAreLeftOut() throws {
    let tokenizer = try Tokenizer(definition(merges: ["a b"]))
    #expect(try tokenizer.encode("ab b", .matched) == [2, 3, 1])
    #expect(try tokenizer.encode("ac", .matched) == [0])
    #expect(try tokenizer.encode("c", .matched) == [])
  }

  @Test func wholePiecesCanComeBeforeMerges() throws {
    let merges = [("a", "b"), ("c", "d"), ("b", "c"), ("bc", "d")]
    let stages = PreTokenizer([.init(#"\p{L}+"#)])
    let merging = try Tokenizer(.tiny(merges: merges, preTokenizer: stages))
    #expect(try merging.encode("bcd", .matched) == [0x62, 257])
    let ignoring = try Tokenizer(
      .tiny(merges: merges, preTokenizer: stages, ignoresMerges: true))
    #expect(try ignoring.encode("bcd", .matched) == [259])
  }

  @Test func sentencesAreShortAndPlain() {
    let errors: [TokenizerError] = [
      .unknownPreTokenizer("a\u{1B}[31m\u{202E}b"), .duplicatePiece("\n", first: 1, second: 2),
      .unknownMergePart(rank: 3, String(repeating: "x", count: 1000)),
    ]
    #expect(
      errors.map(\.description) == [
        #"The pre-tokeniser "a\u{1b}[31m\u{202e}b" is not one that Pipit knows."#,
        #"Vocabulary entries 1 and 2 are both "\u{a}"."#,
        "Merge rule 3 joins \"\(String(repeating: "x", count: 60))…\", which is not in the vocabulary.",
      ])
  }

  @Test func longestSpecialTokenWins() throws {
    let tokenizer = try Tokenizer(
      .tiny(special: [
        ("<a>", .control), ("<a><b>", .control), ("\n\n", .userDefined), ("\n", .userDefined),
        ("\n\n\n", .userDefined), ("a><b>!", .control),
      ]))
    #expect(try tokenizer.encode("<a><b><a>", .matched) == [257, 256])
    #expect(try tokenizer.encode("<a><b>!", .matched) == [257, 0x21])
    #expect(try tokenizer.encode("\n\n\n\n\n\n\n", .text) == [260, 260, 259])
    #expect(try tokenizer.encode("<a\n>", .text) == [0x3C, 0x61, 259, 0x3E])
  }

  @Test(arguments: [
    "é", "e\u{301}", "\u{212B}\u{1100}\u{1161}\u{11A8}", "q\u{307}\u{323}x", "\u{958}",
  ])
  func normalises(text: String) throws {
    let tokenizer = try Tokenizer(.tiny(normaliser: .nfc))
    let expected = text.precomposedStringWithCanonicalMapping
    let ids = try tokenizer.encode(text, .matched)
    #expect(ids.map { UInt8($0) } == Array(expected.utf8))
  }
}
