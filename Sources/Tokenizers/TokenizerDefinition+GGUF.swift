extension TokenizerDefinition {
  /// A definition from the values of GGUF's `tokenizer.ggml.*` keys.
  ///
  /// - Parameters:
  ///   - model: `tokenizer.ggml.model`: `gpt2` (byte-level) or `llama` (SentencePiece).
  ///   - pre: `tokenizer.ggml.pre`, needed by `gpt2`.
  ///   - tokens: `tokenizer.ggml.tokens`.
  ///   - types: `tokenizer.ggml.token_type`; all normal if the file has none.
  ///   - merges: `tokenizer.ggml.merges`, needed by `gpt2`.
  ///   - scores: `tokenizer.ggml.scores`, needed by `llama`.
  ///   - addsSpacePrefix: `tokenizer.ggml.add_space_prefix`, which only `llama` heeds.
  ///   - roles: the `…_token_id` keys and `tokenizer.ggml.add_bos_token`.
  /// - Throws: `TokenizerError` naming a model or pre-tokeniser that Pipit does not know.
  package init(
    ggufModel model: String, pre: String?, tokens: ByteStrings, types: [Int32],
    merges: ByteStrings, scores: [Float] = [], addsSpacePrefix: Bool = true,
    roles: Roles = Roles()
  ) throws {
    throw TokenizerError.unknownModel(model)
  }
}
