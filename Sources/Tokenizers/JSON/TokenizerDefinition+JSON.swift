extension TokenizerDefinition {
  /// A definition from the bytes of a tokenizer.json, as the tokenizers library writes it: a
  /// `BPE` model, byte-level or with byte fallback.
  ///
  /// An added token is a control token if it is marked special, and also if it is spelled
  /// `<|…|>` or the like: llama.cpp's converter takes those for control tokens, and one model
  /// should give the same ids from either file.
  ///
  /// - Throws: `TokenizerError`, naming whatever Pipit does not know.
  package init(tokenizerJSON bytes: [UInt8]) throws {
    guard bytes.count <= ByteStrings.byteCountLimit else {
      throw TokenizerError.tooMany(
        of: "bytes of tokenizer.json", count: bytes.count, limit: ByteStrings.byteCountLimit)
    }
    var file = TokenizerJSON()
    try TokenizerError.reading { try file.read(bytes) }
    self = try file.definition()
  }
}
