import JSON
import Tokenizers
import Weights

/// tokenizer.json and tokenizer_config.json as the tokenizers library writes them, from a GGUF file's
/// `tokenizer.ggml.*` keys.
struct GGUFTokenizer {
  private let metadata: GGUFMetadata
  private let tokens: [String]
  private let kinds: [TokenKind]
  private let form: Form

  /// How text becomes pieces, by GGUF's name of it.
  private enum Form: String {
    case byteLevel = "gpt2"
    case sentencePiece = "llama"
  }

  /// - Throws: ``ConversionError/unsupported(_:_:)`` for other kinds of tokenizers.
  init(_ metadata: GGUFMetadata) throws {
    self.metadata = metadata
    let model = try metadata.required(
      "tokenizer.ggml.model", metadata.string("tokenizer.ggml.model"))
    guard let form = Form(rawValue: model) else {
      throw ConversionError.unsupported(.tokenizer, model)
    }
    self.form = form
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
    // Added tokens too: the tokenizers library gives one that is not in here an id of its own choice.
    // What is unused stays out: no text has it, and its rows are only there.
    let vocabulary = tokens.indices.compactMap { id in
      kinds[id] == .unused ? nil : (tokens[id], JSONValue.integer(id))
    }
    let parts = try form == .byteLevel ? byteLevelParts() : sentencePieceParts()
    let common: [(String, JSONValue)] = [
      ("type", "BPE"), ("dropout", .null), ("continuing_subword_prefix", .null),
      ("end_of_word_suffix", .null),
    ]
    return [
      "version": "1.0", "truncation": .null, "padding": .null,
      "added_tokens": .array(added.map { Self.addedToken($0.id, $0.text, $0.isSpecial) }),
      "normalizer": parts.normalizer, "pre_tokenizer": parts.preTokenizer,
      "post_processor": try postProcessor(), "decoder": parts.decoder,
      "model": .members(
        common + parts.model
          + [
            ("vocab", .members(vocabulary)),
            ("merges", .array(parts.merges.map { .array([.string($0.left), .string($0.right)]) })),
          ]),
    ]
  }

  /// What differs between the forms.
  private struct Parts {
    let normalizer: JSONValue
    let preTokenizer: JSONValue
    let decoder: JSONValue
    let model: [(String, JSONValue)]
    let merges: [(left: String, right: String)]
  }

  private func byteLevelParts() throws -> Parts {
    let pre = try metadata.string("tokenizer.ggml.pre")
    let (preTokenizer, normaliser) = try PreTokenizer.named(pre)
    let merges = try metadata.required(
      "tokenizer.ggml.merges", metadata.strings("tokenizer.ggml.merges"))
    return Parts(
      normalizer: normaliser == .nfc ? ["type": "NFC"] : .null,
      preTokenizer: Self.json(preTokenizer), decoder: Self.byteLevel,
      model: [
        ("unk_token", .null), ("fuse_unk", false), ("byte_fallback", false),
        ("ignore_merges", .bool(preTokenizer == .llama3)),
      ],
      // A byte-level piece has no space in it, so the first is between the two.
      merges: merges.map { merge in
        let space = merge.firstIndex(of: " ") ?? merge.endIndex
        return (String(merge[..<space]), String(merge[space...].dropFirst()))
      })
  }

  private func sentencePieceParts() throws -> Parts {
    let scores = try metadata.required(
      "tokenizer.ggml.scores", metadata.floats("tokenizer.ggml.scores"))
    guard scores.count == tokens.count else {
      throw ConversionError.unsupported(.tokenizer, "with \(scores.count) scores")
    }
    let replace: JSONValue = [
      "type": "Replace", "pattern": ["String": " "], "content": .string(Self.spaceSymbol),
    ]
    let prepend: JSONValue = ["type": "Prepend", "prepend": .string(Self.spaceSymbol)]
    let hasPrefix = try metadata.bool(key("add_space_prefix")) ?? true
    let decoders: [JSONValue] = [
      ["type": "Replace", "pattern": ["String": .string(Self.spaceSymbol)], "content": " "],
      ["type": "ByteFallback"], ["type": "Fuse"],
    ]
    let unknown = kinds.firstIndex(of: .unknown).map { tokens[$0] }
    return Parts(
      normalizer: hasPrefix
        ? ["type": "Sequence", "normalizers": .array([prepend, replace])] : replace,
      preTokenizer: .null,
      decoder: ["type": "Sequence", "decoders": .array(decoders)],
      model: [
        ("unk_token", .optional(unknown)), ("fuse_unk", true), ("byte_fallback", true),
        ("ignore_merges", false),
      ],
      merges: PieceMerges.merges(tokens, scores: scores))
  }

  private static let spaceSymbol = "\u{2581}"

  private static let byteLevel: JSONValue = [
    "type": "ByteLevel", "add_prefix_space": false, "trim_offsets": false, "use_regex": false,
  ]

  private static func addedToken(_ id: Int, _ text: String, _ isSpecial: Bool) -> JSONValue {
    [
      "id": .integer(id), "content": .string(text), "single_word": false, "lstrip": false,
      "rstrip": false,
      // Runs of spaces are looked for where spaces are spelled so already.
      "normalized": .bool(text.contains(spaceSymbol)), "special": .bool(isSpecial),
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
    guard try metadata.bool(key("add_bos_token")) ?? (form == .sentencePiece),
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
      (
        "add_bos_token",
        .bool(try metadata.bool(key("add_bos_token")) ?? (form == .sentencePiece))
      ),
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
