package import Tokenizers

/// The tokens after which a reply is over, from every place a model names them.
package enum EndOfTurn {
  /// Names that mean the end of a turn or of a text in the vocabularies that Pipit knows.
  package static let names = [
    "<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|end_of_text|>", "<end_of_turn>", "<eos>",
  ]

  /// A token of the vocabulary that bears one of `names`.
  package struct NamedToken: Sendable, Hashable {
    package var name: String
    package var id: TokenID
    /// Whether the vocabulary marks it as a control token.
    package var isControl: Bool

    package init(name: String, id: TokenID, isControl: Bool) {
      self.name = name
      self.id = id
      self.isControl = isControl
    }
  }

  /// The union of all sources; ids outside the vocabulary are left out.
  ///
  /// A name alone is not enough: Qwen's vocabulary has an ordinary token `</s>`, and whoever goes
  /// by names ends a reply that quotes it. So a named token counts only if it is a control token.
  ///
  /// - Parameters:
  ///   - configuration: `eos_token_id` of `config.json`.
  ///   - generationConfiguration: `eos_token_id` of `generation_config.json`.
  ///   - gguf: the end-of-sequence, end-of-turn and end-of-message ids of a GGUF file.
  ///   - named: tokens of the vocabulary that bear one of `names`.
  ///   - vocabularyCount: tokens of the vocabulary.
  /// - Returns: the set, empty if no source names any.
  package static func tokens(
    configuration: [TokenID] = [], generationConfiguration: [TokenID] = [], gguf: [TokenID] = [],
    named: [NamedToken] = [], vocabularyCount: Int
  ) -> Set<TokenID> {
    let byName = named.lazy.filter { $0.isControl && names.contains($0.name) }.map(\.id)
    let all = [configuration, generationConfiguration, gguf, Array(byName)].joined()
    return Set(all.filter { $0 >= 0 && Int($0) < vocabularyCount })
  }
}

extension EndOfTurn {
  /// The same, with the names looked up in a tokenizer.
  package static func tokens(
    configuration: [TokenID] = [], generationConfiguration: [TokenID] = [], gguf: [TokenID] = [],
    tokenizer: Tokenizer
  ) -> Set<TokenID> {
    let named = names.compactMap { name in
      tokenizer.id(of: name).map {
        NamedToken(name: name, id: $0, isControl: tokenizer.isControl($0))
      }
    }
    return tokens(
      configuration: configuration, generationConfiguration: generationConfiguration, gguf: gguf,
      named: named, vocabularyCount: tokenizer.count)
  }
}
