import JSON
import Foundation
import TestSupport
import Testing
import Tokenizers

/// tokenizer.json and tokenizer_config.json.
@Suite struct JSONTests {
  /// SmolLM2's, written anew from the vocabulary that the other tests use.
  private static func smollm(mergesAsPairs: Bool) throws -> [UInt8] {
    let fixture = try VocabularyFixture(name: "smollm.vocab")
    var vocabulary: [String: Int] = [:]
    var added: [[String: Any]] = []
    for id in 0..<fixture.tokens.count {
      vocabulary[fixture.tokens.text(id)] = id
      if fixture.kinds[id] == 3 {
        added.append([
          "id": id, "content": fixture.tokens.text(id), "special": true, "lstrip": false,
          "rstrip": false, "single_word": false, "normalized": false,
        ])
      }
    }
    let merges: [Any] = (0..<fixture.merges.count).map { rank in
      let text = fixture.merges.text(rank)
      return mergesAsPairs ? text.split(separator: " ").map { String($0) } : text
    }
    let file: [String: Any] = [
      "version": "1.0", "truncation": NSNull(), "padding": NSNull(), "added_tokens": added,
      "normalizer": NSNull(),
      "pre_tokenizer": [
        "type": "Sequence",
        "pretokenizers": [
          ["type": "Digits", "individual_digits": true],
          ["type": "ByteLevel", "add_prefix_space": false, "use_regex": true],
        ],
      ],
      "post_processor": NSNull(), "decoder": ["type": "ByteLevel"],
      "model": [
        "type": "BPE", "dropout": NSNull(), "unk_token": NSNull(), "fuse_unk": false,
        "continuing_subword_prefix": "", "end_of_word_suffix": NSNull(), "vocab": vocabulary,
        "byte_fallback": false, "merges": merges,
      ],
    ]
    return [UInt8](try JSONSerialization.data(withJSONObject: file))
  }

  @Test(arguments: [false, true])
  func givesTheSameIDsAsGGUF(mergesAsPairs: Bool) throws {
    let bytes = try Self.smollm(mergesAsPairs: mergesAsPairs)
    let tokenizer = try Tokenizer(TokenizerDefinition(tokenizerJSON: bytes))
    for example in try Family.smollm2.truth().cases {
      #expect(try tokenizer.encode(example.text, .matched) == example.ids)
      #expect(try tokenizer.encode(example.text, .text) == example.idsNoSpecial)
    }
  }

  /// A tokenizer.json with parts replaced.
  static func file(
    added: String = #"{"id":3,"content":"<|end|>","special":true}"#, normaliser: String = "null",
    preTokenizer: String = #"{"type":"ByteLevel","add_prefix_space":false,"use_regex":false}"#,
    postProcessor: String = "null", vocabulary: String = #"{"a":0,"b":1,"ab":2}"#,
    merges: String = #"["a b"]"#, model: String = #""type":"BPE""#
  ) -> [UInt8] {
    Array(
      """
      {"version":"1.0","ignored":[{"x":[1,{}]},"]\\""],"added_tokens":[\(added)],
      "normalizer":\(normaliser),"pre_tokenizer":\(preTokenizer),
      "post_processor":\(postProcessor),
      "model":{\(model),"vocab":\(vocabulary),"merges":\(merges)}}
      """.utf8)
  }

  private func tokenizer(_ bytes: [UInt8]) throws -> Tokenizer {
    try Tokenizer(TokenizerDefinition(tokenizerJSON: bytes))
  }

  @Test func readsASmallFile() throws {
    let tokenizer = try tokenizer(Self.file())
    #expect(try tokenizer.encode("abba<|end|>", .matched) == [2, 1, 0, 3])
    #expect(tokenizer.count == 4)
  }

  @Test("Merges are read beside the vocabulary if they follow it, and where they stand if not")
  func mergesMayStandAnywhere() throws {
    let (vocabulary, merges) = (#""vocab":{"a":0,"b":1,"ab":2}"#, #""merges":["a b"]"#)
    for model in [
      "\(vocabulary),\(merges)", "\(vocabulary) , \n\(merges),\"x\":[1]", "\(merges),\(vocabulary)",
      "\(vocabulary),\"x\":{},\(merges)",
      #""vocab":{"b":7},"merges":["b b"],\#(merges),\#(vocabulary)"#,
    ] {
      let tokenizer = try tokenizer(
        Array(
          """
          {"pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false,"use_regex":false},
          "model":{\(model)}}
          """.utf8))
      #expect(try tokenizer.encode("abb", .matched) == [2, 1])
    }
  }

  @Test(
    "What is wrong first in the file is what is told",
    arguments: [
      (#""vocab":{"a":0,"b":-1},"merges":[7]"#, "-1}"), (#""vocab":{"a":0},"merges":[7]"#, "7]"),
      (#""vocab":{"a":0},"merges":["a b",["a","b"]]"#, "}}"),
      (#""vocab":{"a":0},"merges":["a "#, ""),
      (#""vocab":{"a":0],"merges":["a b"]}"#, "],"),
    ])
  func errorsStandWhereTheyAre(model: String, rest: String) throws {
    let text = #"{"model":{\#(model)}}"#
    #expect {
      try tokenizer(Array((rest.isEmpty ? String(text.dropLast(2)) : text).utf8))
    } throws: { error in
      guard case TokenizerError.invalidJSON(let offset, _) = error else { return false }
      let place =
        rest.isEmpty
        ? text.utf8.count - 2
        : text.range(of: rest).map {
          text.utf8.distance(from: text.startIndex, to: $0.lowerBound)
        }
      // The cursor stands after a negative id.
      return offset == place || rest == "-1}" && offset == (place ?? 0) + 2
    }
  }

  @Test func readsEscapes() throws {
    let tokenizer = try tokenizer(
      Self.file(
        added: #"{"id":3,"content":"\u003c\ud83d\ude00\n\t\"\\\/\u00e9>","special":true}"#,
        vocabulary: #" { "\u0061" : 0 , "b":1,"a\u0062":2 } "#))
    #expect(try tokenizer.encode("ab<😀\n\t\"\\/é>", .matched) == [2, 3])
  }

  @Test func addedTokensAreControlBySpecialOrBySpelling() throws {
    let added = [
      #"{"id":3,"content":"<s>","special":true}"#, #"{"id":4,"content":"<think>","special":false}"#,
      #"{"id":5,"content":"<|fim_pad|>","special":false}"#,
      #"{"id":6,"content":"<｜User｜>","special":false}"#, #"{"id":9,"content":"<t>"}"#,
    ]
    let tokenizer = try tokenizer(Self.file(added: added.joined(separator: ",")))
    #expect(
      (0..<12).map { tokenizer.isControl($0) }.map { $0 ? 1 : 0 } == [
        0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0,
      ])
    #expect(!tokenizer.isUsed(7))
    #expect(tokenizer.isUsed(9))
    #expect(try tokenizer.encode("<think>a<t>", .text) == [4, 0, 9])
  }

  @Test func findsTheBeginningOfText() throws {
    let processor = #"""
      {"type":"Sequence","processors":[{"type":"ByteLevel"},{"type":"TemplateProcessing",
      "single":[{"SpecialToken":{"id":"<|end|>","type_id":0}},{"Sequence":{"id":"A"}}]}]}
      """#
    var definition = try TokenizerDefinition(tokenizerJSON: Self.file(postProcessor: processor))
    #expect(definition.roles.beginning == 3)
    #expect(definition.roles.addsBeginning)
    let configuration = #"""
      {"add_bos_token":false,"eos_token":{"content":"<|end|>","lstrip":false},"pad_token":"a",
      "chat_template":[{"name":"rag","template":"r"},{"name":"default","template":"d"}],"x":{}}
      """#
    let read = try TokenizerConfiguration(Array(configuration.utf8))
    definition.apply(read)
    #expect(definition.roles.end == 3)
    #expect(definition.roles.padding == nil)
    #expect(!definition.roles.addsBeginning)
    #expect(read.chatTemplate == "d")
    #expect(try TokenizerConfiguration(Array(#"{"chat_template":"t"}"#.utf8)).chatTemplate == "t")
  }

  /// As Gemma 3 ships it.
  @Test func readsByteFallback() throws {
    let tokenizer = try tokenizer(
      Self.file(
        added:
          #"{"id":0,"content":"<unk>","special":true},{"id":9,"content":"▁▁","special":false}"#,
        normaliser: #"{"type":"Replace","pattern":{"String":" "},"content":"▁"}"#,
        preTokenizer: #"""
          {"type":"Split","pattern":{"String":" "},"behavior":"MergedWithPrevious","invert":false}
          """#,
        vocabulary: #"{"<unk>":0,"▁":1,"a":2,"▁a":3,"b":4,"ab":5,"<0x0A>":6,"▁ab":7}"#,
        merges: #"[["▁","a"],["a","b"],["▁","ab"]]"#,
        model: #""type":"BPE","byte_fallback":true,"unk_token":"<unk>","fuse_unk":true"#))
    #expect(try tokenizer.encode("ab ab a\n", .matched) == [5, 3, 4, 3, 6])
    #expect(try tokenizer.encode("a  a", .text) == [2, 9, 2])
    #expect(try tokenizer.encode("aé<unk>", .matched) == [2, 0, 0])
    #expect(tokenizer.decode([5, 3, 4, 3, 6], skippingControl: true) == "ab ab a\n")
  }

  @Test(arguments: [
    (
      file(preTokenizer: #"{"type":"BertPreTokenizer"}"#), ("The pre_tokenizer", "BertPreTokenizer")
    ),
    (
      file(
        preTokenizer: #"{"type":"ByteLevel"}"#.replacing("}", with: #","add_prefix_space":true}"#)),
      ("The pre_tokenizer", "ByteLevel with add_prefix_space")
    ),
    (file(preTokenizer: "null"), ("The model", "BPE without ByteLevel or byte fallback")),
    (file(normaliser: #"{"type":"Lowercase"}"#), ("The normalizer", "Lowercase")),
    (file(model: #""type":"Unigram""#), ("The model", "Unigram")),
    (file(model: #""end_of_word_suffix":"</w>""#), ("The model", "end_of_word_suffix")),
    (file(model: #""dropout":0.1"#), ("The model", "dropout")),
    (file(added: #"{"id":3,"content":"x","rstrip":true}"#), ("The added token 3", "rstrip")),
    (file(vocabulary: "[]"), ("The vocabulary", "a list")),
  ])
  func refusesWhatItDoesNotKnow(bytes: [UInt8], what: (String, String)) {
    #expect(throws: TokenizerError.unsupported(what.0, what.1)) { try tokenizer(bytes) }
  }

  @Test func refusesWrongIDs() {
    #expect(throws: TokenizerError.duplicateID(0, "a", "b")) {
      try tokenizer(Self.file(vocabulary: #"{"a":0,"b":0}"#))
    }
    #expect(throws: TokenizerError.sparseIDs(greatest: 999_999_999, entries: 2)) {
      try tokenizer(Self.file(vocabulary: #"{"a":999999999}"#))
    }
    #expect(throws: TokenizerError.duplicatePiece("a", first: 0, second: 1)) {
      try tokenizer(Self.file(vocabulary: #"{"a":0,"a":1}"#))
    }
    #expect(throws: TokenizerError.missing("model")) { try tokenizer(Array("{}".utf8)) }
  }

  @Test(arguments: [
    "", "{", "[]", "nul", "{}x", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":[}"#, #"{"a":]}"#,
    #"{"model":{"vocab":{"a":-1}}}"#, #"{"model":{"vocab":{"a":1.5}}}"#,
    #"{"model":{"vocab":{"a":99999999999999999999}}}"#, #"{"model":{"vocab":{"\ud800":1}}}"#,
    #"{"model":{"vocab":{"\udc00":1}}}"#, #"{"model":{"vocab":{"\x":1}}}"#,
    #"{"model":{"vocab":{"\u12":1}}}"#, #"{"model":{"merges":[["a"]]}}"#,
    #"{"model":{"merges":["a b",["a","b"]]}}"#, #"{"added_tokens":[{"id":-1,"content":"a"}]}"#,
    #"{"added_tokens":[{"content":"a"}]}"#, "{\"a\n\":1}", #"{"normalizer":1e999}"#,
    #"{"normalizer":"# + String(repeating: "[", count: 100_000), #"{"x":"\"#,
  ])
  func refusesWrongJSON(text: String) {
    #expect {
      try tokenizer(Array(text.utf8))
    } throws: {
      guard case TokenizerError.invalidJSON = $0 else { return false }
      return true
    }
  }
}
