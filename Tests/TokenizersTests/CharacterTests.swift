import TestSupport
import Testing
import Tokenizers

/// SentencePiece's way, as in Gemma's GGUF files.
@Suite struct CharacterTests {
  /// The pieces of a small Gemma: special tokens, runs of white space, bytes, text.
  private static func definition(
    _ text: [(String, Float)], addsSpacePrefix: Bool = false
  ) throws -> TokenizerDefinition {
    var entries: [(String, Int32, Float)] = [
      ("<pad>", 3, 0), ("<eos>", 3, 0), ("<bos>", 3, 0), ("<unk>", 2, 0),
      ("\n\n", 4, 0), ("  ", 4, 0), ("    ", 4, 0),
    ]
    for byte in UInt8.min...UInt8.max {
      let digits = String(byte, radix: 16, uppercase: true)
      entries.append(("<0x\(digits.count < 2 ? "0" : "")\(digits)>", 6, 0))
    }
    for (piece, score) in text { entries.append((piece, 1, score)) }
    return try TokenizerDefinition(
      ggufModel: "llama", pre: "default", tokens: ByteStrings(entries.map(\.0)),
      types: entries.map(\.1), merges: ByteStrings(), scores: entries.map(\.2),
      addsSpacePrefix: addsSpacePrefix)
  }

  private static let letters: [(String, Float)] = [
    ("▁", -100), ("a", -101), ("b", -102), ("c", -103), ("é", -104), ("<", -105), ("\n", -106),
    ("ab", -2), ("bc", -1), ("▁a", -3), ("abc", -5), ("▁abc", -4), ("aa", -2), ("aaa", -6),
    ("bos", -1), (">", -107),
  ]

  private func pieces(_ text: String, _ tokenizer: Tokenizer) throws -> [String] {
    let ids = try tokenizer.encode(text, .matched)
    return ids.map { String(decoding: tokenizer.bytes(of: $0), as: UTF8.self) }
  }

  @Test(arguments: [
    ("abc", ["abc"]), ("a bc", ["a", " ", "bc"]), (" ab", [" ", "ab"]), ("aaaa", ["aa", "aa"]),
    ("aaa", ["aaa"]), ("<bos>abc<eos>", ["<bos>", "abc", "<eos>"]), ("▁a", [" a"]),
    ("a\n\nb\n", ["a", "\n\n", "b", "\n"]), ("      a", ["    ", "  ", "a"]),
    ("   a", ["  ", " a"]), ("é", ["é"]), ("abab", ["ab", "ab"]),
  ])
  func mergesByScore(text: String, expected: [String]) throws {
    let tokenizer = try Tokenizer(Self.definition(Self.letters))
    #expect(try pieces(text, tokenizer) == expected)
  }

  @Test func fallsBackToBytes() throws {
    let tokenizer = try Tokenizer(Self.definition(Self.letters))
    let ids = try tokenizer.encode("a世x", .text)
    let expected: [TokenID] = [264, 0xEB, 0xBF, 0x9D, 0x7F]
    #expect(ids == expected)
    #expect(tokenizer.decode(ids, skippingControl: true) == "a世x")
    #expect(try tokenizer.encode("<0x41>", .matched).count == 6)
  }

  @Test func prefixesASpaceWhenTheFileSaysSo() throws {
    let tokenizer = try Tokenizer(Self.definition(Self.letters, addsSpacePrefix: true))
    #expect(try pieces("ab<bos>c", tokenizer) == [" ", "ab", "<bos>", " ", "c"])
  }

  /// Merging never makes a control token, though its parts are pieces.
  @Test func plainTextMakesNoControlToken() throws {
    let tokenizer = try Tokenizer(Self.definition(Self.letters + [("<bos", -1), ("bos>", -1)]))
    let text = "<bos><eos><unk><pad>"
    #expect(try !tokenizer.encode(text, .text).contains(where: tokenizer.isControl))
    let guarded = try tokenizer.encode(tokenizer.guarding(text), .guarded)
    #expect(try guarded == tokenizer.encode(text, .text))
    #expect(tokenizer.decode(guarded, skippingControl: true) == text)
  }

  @Test func invalidByteRunsAreOneReplacementPerByte() throws {
    let tokenizer = try Tokenizer(Self.definition(Self.letters))
    func bytes(_ values: [Int]) -> [TokenID] { values.map { TokenID(7 + $0) } }
    let cases: [([TokenID], String)] = [
      (bytes([0xE4, 0xBD]), "\u{FFFD}\u{FFFD}"),
      (bytes([0xE4, 0xBD, 0xA0]), "你"),
      (bytes([0xE4, 0xBD]) + [264] + bytes([0xA0]), "\u{FFFD}\u{FFFD}a\u{FFFD}"),
      (bytes([0x41, 0xFF, 0x42]), "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ]
    for (ids, text) in cases {
      #expect(tokenizer.decode(ids, skippingControl: true) == text)
    }
    var decoder = StreamingDecoder(tokenizer)
    #expect(bytes([0xE4, 0xBD, 0xA0, 0xE4]).map { decoder.append($0) } == ["", "", "你", ""])
    #expect(decoder.append(264) == "\u{FFFD}a")
    #expect(bytes([0xE4, 0xBD]).map { decoder.append($0) } == ["", ""])
    #expect(decoder.flush() == "\u{FFFD}\u{FFFD}")
  }

  @Test func refusesWrongDefinitions() throws {
    var definition = try Self.definition(Self.letters)
    definition.model = .characters(.scores([1, 2]), addsSpacePrefix: false)
    #expect(throws: TokenizerError.countMismatch(of: "scores", count: 2, pieces: 279)) {
      try Tokenizer(definition)
    }
    var scores = [Float](repeating: 0, count: 279)
    scores[9] = .nan
    definition.model = .characters(.scores(scores), addsSpacePrefix: false)
    #expect(throws: TokenizerError.invalidScore(id: 9)) { try Tokenizer(definition) }
    definition = try Self.definition(Self.letters)
    definition.kinds[264] = .byte
    #expect(throws: TokenizerError.malformedByte(id: 264, "a")) { try Tokenizer(definition) }
  }

  /// The heap of merges against looking through all of them.
  @Test(arguments: [5, 128, 129, 200])
  func equalsTheDefinition(length: Int) throws {
    let definition = try Self.definition(Self.letters)
    let tokenizer = try Tokenizer(definition)
    let scores = Dictionary(
      uniqueKeysWithValues: Self.letters.map { ($0.0 == "▁" ? " " : $0.0, $0.1) })
    var generator = SeededGenerator(seed: UInt64(length))
    for _ in 0..<40 {
      let text = (0..<length).map { _ in "aaabbcé".randomElement(using: &generator) ?? "a" }
      var parts = text.map { String($0) }
      while true {
        var best: (score: Float, position: Int)?
        for position in parts.indices.dropLast() {
          guard let score = scores[parts[position] + parts[position + 1]] else { continue }
          if score > best?.score ?? -.infinity { best = (score, position) }
        }
        guard let best else { break }
        parts[best.position...best.position + 1] =
          [parts[best.position] + parts[best.position + 1]]
      }
      #expect(try pieces(String(text), tokenizer) == parts)
    }
  }
}
