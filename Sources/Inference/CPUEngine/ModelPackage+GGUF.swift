import Tokenizers
import Transformers
import Weights

extension ModelPackage {
  init(gguf file: GGUFFile) throws {
    let metadata = file.metadata
    source = file
    settings = try ModelSettings(metadata)
    tokenizer = try Tokenizer(TokenizerDefinition(metadata))
    template = try metadata.string("tokenizer.chat_template")
    let roles = tokenizer.roles
    endOfTurn = EndOfTurn.tokens(
      gguf: [roles.end, roles.endOfTurn, roles.endOfMessage].compactMap { $0 },
      tokenizer: tokenizer)
    sampling = try SamplingOverrides(metadata)
  }
}

extension TokenizerDefinition {
  /// The tokenizer in a GGUF file's `tokenizer.ggml.*` keys.
  init(_ metadata: GGUFMetadata) throws {
    func required<Value>(_ key: String, _ value: Value?) throws -> Value {
      try metadata.required(key, value)
    }
    func token(_ key: String) throws -> TokenID? {
      try metadata.integer("tokenizer.ggml.\(key)").flatMap { TokenID(exactly: $0) }
    }
    var roles = Roles()
    roles.beginning = try token("bos_token_id")
    roles.end = try token("eos_token_id")
    roles.endOfTurn = try token("eot_token_id")
    roles.endOfMessage = try token("eom_token_id")
    roles.unknown = try token("unknown_token_id")
    roles.padding = try token("padding_token_id")
    let model = try required(
      "tokenizer.ggml.model", metadata.string("tokenizer.ggml.model"))
    roles.addsBeginning = try metadata.bool("tokenizer.ggml.add_bos_token") ?? (model == "llama")
    let tokens = try required("tokenizer.ggml.tokens", metadata.texts("tokenizer.ggml.tokens"))
    self = try TokenizerDefinition(
      ggufModel: model,
      pre: metadata.string("tokenizer.ggml.pre"),
      tokens: ByteStrings(tokens, of: "vocabulary"),
      types: try metadata.integers32("tokenizer.ggml.token_type") ?? [],
      merges: try metadata.texts("tokenizer.ggml.merges").map {
        try ByteStrings($0, of: "merge rules")
      } ?? ByteStrings(),
      scores: try metadata.floats("tokenizer.ggml.scores") ?? [],
      addsSpacePrefix: try metadata.bool("tokenizer.ggml.add_space_prefix") ?? true,
      roles: roles)
  }
}

extension ByteStrings {
  /// The texts of an array in metadata.
  init(_ texts: GGUFTexts, of what: String) throws(TokenizerError) {
    guard texts.byteCount <= Self.byteCountLimit else {
      throw .tooMany(of: "bytes of \(what)", count: texts.byteCount, limit: Self.byteCountLimit)
    }
    var texts = texts
    self.init(count: texts.count, byteCount: texts.byteCount) { _, bytes in
      texts.appendNext(to: &bytes)
    }
  }
}

extension SamplingOverrides {
  /// The recommendations in a GGUF file's `general.sampling.*` keys; nil where there are none.
  init?(_ metadata: GGUFMetadata) throws {
    self.init(
      temperature: try metadata.number("general.sampling.temp"),
      topK: try metadata.integer("general.sampling.top_k"),
      topP: try metadata.number("general.sampling.top_p"),
      minP: try metadata.number("general.sampling.min_p"),
      repetitionPenalty: try metadata.number("general.sampling.penalty_repeat"))
    if isEmpty { return nil }
  }
}
