import TestSupport
import Testing
import Tokenizers

/// Damaged tokenizer.json and tokenizer_config.json: an error or a tokenizer, and soon.
///
/// `PIPIT_FUZZ_ITERATIONS` raises the number, with one of these tests alone.
@Suite(.serialized) struct TokenizerFuzzTests {
  private static let byteLevel = JSONTests.file(
    normaliser: #"{"type":"Sequence","normalizers":[{"type":"NFC"}]}"#,
    preTokenizer: #"""
      {"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":"[^\\s\\p{L}]+|a{1,3}"},
      "behavior":"Isolated","invert":false},{"type":"ByteLevel","use_regex":true}]}
      """#)
  private static let byteFallback = JSONTests.file(
    added: #"{"id":0,"content":"<unk>","special":true},{"id":9,"content":"▁▁"}"#,
    normaliser: #"""
      {"type":"Sequence","normalizers":[{"type":"Prepend","prepend":"▁"},
      {"type":"Replace","pattern":{"String":" "},"content":"▁"}]}
      """#,
    preTokenizer: "null",
    postProcessor: #"""
      {"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<unk>","type_id":0}}]}
      """#,
    vocabulary: #"{"<unk>":0,"▁":1,"a":2,"▁a":3,"b":4,"ab":5,"<0x0A>":6,"▁ab":7}"#,
    merges: #"[["▁","a"],["a","b"],["▁","ab"]]"#,
    model: #""type":"BPE","byte_fallback":true,"unk_token":"<unk>","fuse_unk":true"#)

  private func isExpected(_ error: any Error) -> Bool {
    (error as? TokenizerError).map { !$0.description.isEmpty } ?? false
  }

  @Test func damagedTokenizerJSON() throws {
    let run = try FuzzRun(
      "tokenizer.json", [Self.byteLevel, Self.byteFallback], seed: 11, isExpected: isExpected
    ) { bytes in
      let tokenizer = try Tokenizer(TokenizerDefinition(tokenizerJSON: bytes))
      let ids = try tokenizer.encode("a b<|end|> aaaa\u{301} ab\n", .matched)
      _ = tokenizer.decode(ids, skippingControl: false)
    }
    #expect(run.accepted > 0 && run.accepted < run.files)
    #expect(run.isWithinBounds, "\(run)")
  }

  @Test func damagedTokenizerConfiguration() throws {
    let configuration = #"""
      {"add_bos_token":false,"bos_token":"<|end|>","eos_token":{"content":"<|end|>","lstrip":false},
      "pad_token":"a","unk_token":null,"added_tokens_decoder":{"3":{"content":"x"}},
      "chat_template":[{"name":"rag","template":"r"},{"name":"default","template":"d"}],"x":{}}
      """#
    let run = try FuzzRun(
      "tokenizer_config.json", [Array(configuration.utf8)], seed: 12, isExpected: isExpected
    ) { bytes in
      var definition = try TokenizerDefinition(tokenizerJSON: JSONTests.file())
      definition.apply(try TokenizerConfiguration(bytes))
      _ = try Tokenizer(definition)
    }
    #expect(run.accepted > 0 && run.accepted < run.files)
    #expect(run.isWithinBounds, "\(run)")
  }
}
