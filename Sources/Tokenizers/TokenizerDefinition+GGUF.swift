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
  /// - Throws: `TokenizerError` naming a model, pre-tokeniser or token type that Pipit does not
  ///   know.
  package init(
    ggufModel model: String, pre: String?, tokens: ByteStrings, types: [Int32],
    merges: ByteStrings, scores: [Float] = [], addsSpacePrefix: Bool = true,
    roles: Roles = Roles()
  ) throws {
    var kinds: [TokenKind] = []
    kinds.reserveCapacity(tokens.count)
    for (id, type) in types.enumerated() {
      // Files of older converters leave entries undefined (0).
      guard let kind = type == 0 ? .normal : UInt8(exactly: type).flatMap(TokenKind.init) else {
        throw TokenizerError.unknownTokenKind(id: id, kind: Int(type))
      }
      kinds.append(kind)
    }
    if types.isEmpty {
      kinds = [TokenKind](repeating: .normal, count: tokens.count)
    }
    switch model {
    case "gpt2":
      let named = try PreTokenizer.named(pre)
      self.init(
        model: .byteLevel(
          merges: .joined(merges), ignoresMerges: named.preTokenizer == .llama3),
        pieces: tokens, kinds: kinds, preTokenizer: named.preTokenizer,
        normaliser: named.normaliser, roles: roles)
    case "llama":
      self.init(
        model: .characters(.scores(scores), addsSpacePrefix: addsSpacePrefix), pieces: tokens,
        kinds: kinds,
        preTokenizer: PreTokenizer([]), roles: roles)
    default:
      throw TokenizerError.unknownModel(model)
    }
  }
}
