import JSON

/// What tokenizer_config.json adds to tokenizer.json.
package struct TokenizerConfiguration: Sendable {
  package var beginning: String?
  package var end: String?
  package var unknown: String?
  package var padding: String?
  package var addsBeginning: Bool?
  /// The template of this name, or the only one; a file beside this one may hold it instead.
  package var chatTemplate: String?

  /// Reads the bytes of a tokenizer_config.json.
  package init(_ bytes: [UInt8]) throws {
    var values: [String: JSONValue] = [:]
    try TokenizerError.reading {
      var reader = JSONCursor(tokenizer: bytes)
      try reader.readObject { reader, key in
        switch key {
        case "bos_token", "eos_token", "unk_token", "pad_token", "add_bos_token", "chat_template":
          values[key] = try reader.readPart()
        default: try reader.skipValue()
        }
      }
      try reader.expectEnd()
    }
    beginning = Self.token(values["bos_token"])
    end = Self.token(values["eos_token"])
    unknown = Self.token(values["unk_token"])
    padding = Self.token(values["pad_token"])
    addsBeginning = values["add_bos_token"]?.boolValue
    chatTemplate = Self.template(values["chat_template"])
  }

  /// A token is its text, or an object with its text as `content`.
  private static func token(_ value: JSONValue?) -> String? {
    value?.stringValue ?? value?["content"]?.stringValue
  }

  /// A template is its text, or a list of named ones, of which `default` counts.
  private static func template(_ value: JSONValue?) -> String? {
    if let text = value?.stringValue { return text }
    let named = value?.arrayValue?.first { $0["name"]?.stringValue == "default" }
    return named?["template"]?.stringValue
  }
}

extension TokenizerDefinition {
  /// Gives the tokens that tokenizer_config.json names their roles; names that are in no
  /// vocabulary are passed over.
  package mutating func apply(_ configuration: TokenizerConfiguration) {
    roles.beginning = id(ofSpecial: configuration.beginning) ?? roles.beginning
    roles.end = id(ofSpecial: configuration.end) ?? roles.end
    roles.unknown = id(ofSpecial: configuration.unknown) ?? roles.unknown
    roles.padding = id(ofSpecial: configuration.padding) ?? roles.padding
    roles.addsBeginning = configuration.addsBeginning ?? roles.addsBeginning
  }

  private func id(ofSpecial text: String?) -> TokenID? {
    guard let text else { return nil }
    let id = kinds.indices.first { id in
      kinds[id] != .normal && kinds[id] != .unused && id < pieces.count
        && pieces[id].elementsEqual(text.utf8)
    }
    return id.flatMap { TokenID(exactly: $0) }
  }
}
