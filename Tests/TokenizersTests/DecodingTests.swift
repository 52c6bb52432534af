import TestSupport
import Testing
import Tokenizers

@Suite struct DecodingTests {
  /// Python's `bytes.decode(errors="replace")`.
  static let repaired: [([UInt8], String)] = [
    ([0x61, 0xE4, 0xBD, 0x62], "a\u{FFFD}b"), ([0xE4, 0xBD, 0xA0], "你"),
    ([0xC0, 0x80], "\u{FFFD}\u{FFFD}"), ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ([0xF0, 0x9F, 0x98], "\u{FFFD}"), ([0xF0, 0x9F, 0x98, 0x80], "😀"),
    ([0xF0, 0x8F, 0xBF, 0xBF], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
    ([0xF4, 0x90, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
    ([0xF0, 0x9F, 0xF0, 0x9F, 0x98, 0x80], "\u{FFFD}😀"), ([0xFF, 0xFE, 0x41], "\u{FFFD}\u{FFFD}A"),
    ([0xE0, 0x9F, 0xBF], "\u{FFFD}\u{FFFD}\u{FFFD}"), ([0xE2, 0x82, 0x41], "\u{FFFD}A"),
  ]

  @Test(arguments: repaired)
  func repairsBytes(bytes: [UInt8], expected: String) throws {
    let tokenizer = try Tokenizer(.tiny())
    #expect(tokenizer.decode(bytes.map(TokenID.init), skippingControl: true) == expected)
  }

  /// However the bytes are spread over tokens, the stream is the whole.
  @Test func streamsWhatDecodesAtOnce() throws {
    var definition = TokenizerDefinition.tiny()
    let spellings = VocabularyFixture.spellings()
    for piece in [[0xF0, 0x9F], [0x98, 0x80], [0x61, 0xE4, 0xBD], [0xA0, 0xF0]] {
      definition.pieces.append(piece.flatMap { spellings[$0] })
      definition.kinds.append(.normal)
    }
    let tokenizer = try Tokenizer(definition)
    var generator = SeededGenerator(seed: 7)
    let known: [TokenID] = [
      0x61, 0xE4, 0xBD, 0xA0, 0xF0, 0x9F, 0xC3, 0xA9, 0xFF, 256, 257, 258, 259,
    ]
    for _ in 0..<500 {
      let ids = (0..<20).map { _ in known.randomElement(using: &generator) ?? 0 }
      var decoder = StreamingDecoder(tokenizer)
      let streamed = ids.map { decoder.append($0) }.joined() + decoder.flush()
      #expect(streamed == tokenizer.decode(ids, skippingControl: true))
      #expect(decoder.flush() == "")
    }
  }

  @Test func holdsBackUnfinishedCharacters() throws {
    var decoder = StreamingDecoder(try Tokenizer(.tiny()))
    let emoji = Array("😀".utf8).map(TokenID.init)
    #expect(emoji.map { decoder.append($0) } == ["", "", "", "😀"])
    #expect([0xF0, 0x9F, 0x41].map { decoder.append($0) } == ["", "", "\u{FFFD}A"])
    #expect([0xF0, 0x9F].map { decoder.append($0) } == ["", ""])
    #expect(decoder.flush() == "\u{FFFD}")
    #expect(decoder.append(0x41) == "A")
  }

  @Test func skipsControlTokensWhenAsked() throws {
    let definition = TokenizerDefinition.tiny(special: [
      ("<|end|>", .control), ("<think>", .userDefined), ("<unk>", .unknown), ("[PAD1]", .unused),
    ])
    let tokenizer = try Tokenizer(definition)
    let ids: [TokenID] = [0x61, 256, 257, 258, 259, 0x62]
    #expect(tokenizer.decode(ids, skippingControl: true) == "a<think>b")
    #expect(tokenizer.decode(ids, skippingControl: false) == "a<|end|><think><unk>b")
    #expect(ids.map(tokenizer.isControl) == [false, true, false, true, false, false])
    var decoder = StreamingDecoder(tokenizer)
    #expect(ids.map { decoder.append($0) }.joined() + decoder.flush() == "a<think>b")
  }

  /// Rows of the embedding that the vocabulary does not reach.
  @Test(arguments: [-1, 257, 151_935, TokenID.max, TokenID.min])
  func idsOutsideAreNothing(id: TokenID) throws {
    let tokenizer = try Tokenizer(.tiny(special: [("<|end|>", .control)]))
    #expect(tokenizer.bytes(of: id) == [])
    #expect(tokenizer.decode([0x61, id, 0x62], skippingControl: false) == "ab")
    #expect(!tokenizer.isControl(id))
    #expect(!tokenizer.isUsed(id))
    var decoder = StreamingDecoder(tokenizer)
    #expect(decoder.append(id) == "")
  }

  @Test func findsIDs() throws {
    let tokenizer = try Family.qwen3.tokenizer()
    #expect(tokenizer.id(of: "<|im_end|>") == 151_645)
    #expect(tokenizer.id(of: "<think>") == 151_667)
    #expect(tokenizer.id(of: " the") == 279)
    #expect(tokenizer.id(of: "no such piece anywhere") == nil)
    #expect(tokenizer.id(of: "") == nil)
    #expect(tokenizer.count == 151_669)
  }
}
