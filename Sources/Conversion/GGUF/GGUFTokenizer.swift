import JSON
import Tokenizers
import Weights

/// tokenizer.json and tokenizer_config.json as the tokenizers library writes them, from a GGUF file's
/// `tokenizer.ggml.*` keys.
struct GGUFTokenizer {
  private let metadata: GGUFMetadata
  private let tokens: [String]
  private let kinds: [TokenKind]

  /// - Throws: ``ConversionError/unsupported(_:_:)`` for other than byte-level tokenizers.
  init(_ metadata: GGUFMetadata) throws {
    self.metadata = metadata
    let model = try metadata.required(
      "tokenizer.ggml.model", metadata.string("tokenizer.ggml.model"))
    guard model == "gpt2" else { throw ConversionError.unsupported(.tokenizer, model) }
    tokens = try metadata.required(
      "tokenizer.ggml.tokens", metadata.strings("tokenizer.ggml.tokens"))
    let types = try metadata.integers("tokenizer.ggml.token_type") ?? []
    kinds = tokens.indices.map { id in
      id < types.count ? UInt8(exactly: types[id]).flatMap(TokenKind.init) ?? .normal : .normal
    }
  }

  func files() throws -> [SmallFile] {
    var files = [
      SmallFile("tokenizer.json", Array((try tokenizer().text + "\n").utf8)),
      SmallFile("tokenizer_config.json", try configuration()),
    ]
    if let template = try metadata.string("tokenizer.chat_template") {
      files.append(SmallFile("chat_template.jinja", Array(template.utf8)))
    }
    return files
  }

  /// Tokens that are no part of the byte-level vocabulary: those matched as they stand, and those that
  /// nothing matches.
  private var added: [(id: Int, text: String, isSpecial: Bool)] {
    tokens.indices.compactMap { id in
      switch kinds[id] {
      case .control, .unknown: (id, tokens[id], true)
      case .userDefined: (id, tokens[id], false)
      case .normal, .byte, .unused: nil
      }
    }
  }

  private func tokenizer() throws -> JSONValue {
    let pre = try metadata.string("tokenizer.ggml.pre")
    let (preTokenizer, normaliser) = try PreTokenizer.named(pre)
    let merges = try metadata.required(
      "tokenizer.ggml.merges", metadata.strings("tokenizer.ggml.merges"))
    // Added tokens too: the tokenizers library gives one that is not in here an id of its own choice.
    // What is unused stays out: no text has it, and its rows are only there.
    let vocabulary = tokens.indices.compactMap { id in
      kinds[id] == .unused ? nil : (tokens[id], JSONValue.integer(id))
    }
    return [
      "version": "1.0", "truncation": .null, "padding": .null,
      "added_tokens": .array(added.map { Self.addedToken($0.id, $0.text, $0.isSpecial) }),
      "normalizer": normaliser == .nfc ? ["type": "NFC"] : .null,
      "pre_tokenizer": Self.json(preTokenizer),
      "post_processor": try postProcessor(),
      "decoder": Self.byteLevel,
      "model": [
        "type": "BPE", "dropout": .null, "unk_token": .null, "continuing_subword_prefix": .null,
        "end_of_word_suffix": .null, "fuse_unk": false, "byte_fallback": false,
        "ignore_merges": .bool(preTokenizer == .llama3), "vocab": .members(vocabulary),
        "merges": .array(merges.map { .string($0) }),
      ],
    ]
  }

  private static let byteLevel: JSONValue = [
    "type": "ByteLevel", "add_prefix_space": false, "trim_offsets": false, "use_regex": false,
  ]

  private static func addedToken(_ id: Int, _ text: String, _ isSpecial: Bool) -> JSONValue {
    [
      "id": .integer(id), "content": .string(text), "single_word": false, "lstrip": false,
      "rstrip": false, "normalized": false, "special": .bool(isSpecial),
    ]
  }

  private static func json(_ preTokenizer: PreTokenizer) -> JSONValue {
    let stages = preTokenizer.stages.map { stage -> JSONValue in
      [
        "type": "Split", "pattern": ["Regex": .string(stage.pattern)], "behavior": "Isolated",
        "invert": false,
      ]
    }
    return ["type": "Sequence", "pretokenizers": .array(stages + [byteLevel])]
  }

  /// Puts the beginning of a text before it, where the file asks for that.
  private func postProcessor() throws -> JSONValue {
    guard try metadata.bool("tokenizer.ggml.add_bos_token") == true,
      let text = try token("bos_token_id"), let id = try metadata.integer(key("bos_token_id"))
    else { return .null }
    let special: JSONValue = ["SpecialToken": ["id": .string(text), "type_id": 0]]
    let first: JSONValue = ["Sequence": ["id": "A", "type_id": 0]]
    let second: JSONValue = ["Sequence": ["id": "B", "type_id": 1]]
    let token: JSONValue = [
      "id": .string(text), "ids": .array([.integer(id)]), "tokens": .array([.string(text)]),
    ]
    return [
      "type": "TemplateProcessing", "single": .array([special, first]),
      "pair": .array([special, first, special, second]),
      "special_tokens": .members([(text, token)]),
    ]
  }

  private func configuration() throws -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("tokenizer_class", "PreTrainedTokenizerFast"),
      ("add_bos_token", .bool(try metadata.bool(key("add_bos_token")) ?? false)),
      ("clean_up_tokenization_spaces", false),
    ]
    for (name, role) in [
      ("bos_token", "bos_token_id"), ("eos_token", "eos_token_id"),
      ("unk_token", "unknown_token_id"), ("pad_token", "padding_token_id"),
    ] {
      if let text = try token(role) { members.append((name, .string(text))) }
    }
    // Decoders of other programs take the types of added tokens from here.
    members.append(
      (
        "added_tokens_decoder",
        .members(
          added.map { token in
            var object = Self.addedToken(token.id, token.text, token.isSpecial).objectValue
            object?["id"] = nil
            return (String(token.id), object.map { .object($0) } ?? .null)
          })
      ))
    if let length = try contextLength() {
      members.append(("model_max_length", .integer(length)))
    }
    return .members(members)
  }

  private func contextLength() throws -> Int? {
    guard let name = try metadata.string("general.architecture") else { return nil }
    return try metadata.integer("\(name).context_length")
  }

  private func key(_ name: String) -> String { "tokenizer.ggml.\(name)" }

  /// The text of the token with a role.
  private func token(_ role: String) throws -> String? {
    guard let id = try metadata.integer(key(role)), tokens.indices.contains(id) else { return nil }
    return tokens[id]
  }
}
