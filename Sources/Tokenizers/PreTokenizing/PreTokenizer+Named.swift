extension PreTokenizer {
  /// The pre-tokeniser that GGUF calls `name` in `tokenizer.ggml.pre`, and the normaliser that
  /// belongs to it, which GGUF does not record.
  ///
  /// - Throws: `TokenizerError.unknownPreTokenizer`.
  package static func named(
    _ name: String?
  ) throws -> (preTokenizer: PreTokenizer, normaliser: TokenizerDefinition.Normaliser) {
    switch name {
    case "qwen2", "deepseek-r1-qwen": (.qwen2, .nfc)
    case "qwen35": (.qwen35, .nfc)
    case "smollm": (.smollm, .none)
    case "llama-bpe", "llama3", "llama-v3": (.llama3, .none)
    case "gpt-2", "default": (.gpt2, .none)
    default: throw TokenizerError.unknownPreTokenizer(name)
    }
  }

  package static let gpt2 = PreTokenizer([Stage(gpt2Pattern)])

  /// Every digit, and everything else that counts as a number, by itself; then GPT-2's.
  package static let smollm = PreTokenizer([Stage(#"\p{N}"#), Stage(gpt2Pattern)])

  package static let qwen2 = PreTokenizer([
    Stage(
      contractions + #"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|"# + whiteSpace)
  ])

  /// Qwen 3.5's, in which combining marks are parts of words.
  package static let qwen35 = PreTokenizer([
    Stage(
      contractions
        + #"|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|"#
        + whiteSpace)
  ])

  package static let llama3 = PreTokenizer([
    Stage(
      contractions + #"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|"#
        + whiteSpace)
  ])

  /// What tokenizer.json's `ByteLevel` cuts by when `use_regex` is on.
  package static let gpt2Pattern =
    #"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"#

  private static let contractions = #"(?i:'s|'t|'re|'ve|'m|'ll|'d)"#
  private static let whiteSpace = #"\s*[\r\n]+|\s+(?!\S)|\s+"#
}
