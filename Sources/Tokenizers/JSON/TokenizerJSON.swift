import JSON

/// The parts of a tokenizer.json, as they are read.
struct TokenizerJSON {
  private struct AddedToken {
    var id: Int
    var text: String
    var isSpecial: Bool

    /// Spelled like a control token, as llama.cpp's converter has it.
    var looksSpecial: Bool {
      text.hasPrefix("<|") && text.hasSuffix("|>")
        || text.hasPrefix("<｜") && text.hasSuffix("｜>")
        || text.hasPrefix("<unused") && text.hasSuffix(">")
    }
  }

  private var added: [AddedToken] = []
  /// The small parts of the file.
  private var parts: [String: JSONValue] = [:]
  /// The small parts of the model.
  private var model: [String: JSONValue] = [:]
  /// The keys of the vocabulary, and the id of each.
  private var pieces = ByteStrings()
  private var ids: [Int] = []
  private var hasModel = false
  private var merges = TokenizerDefinition.Merges.parts(ByteStrings())

  // MARK: Reading

  mutating func read(_ bytes: [UInt8]) throws {
    var reader = JSONCursor(tokenizer: bytes)
    var file = self
    try reader.readObject { reader, key in
      switch key {
      case "added_tokens": try file.readAddedTokens(&reader)
      case "model": try file.readModel(&reader)
      case "normalizer", "pre_tokenizer", "post_processor", "decoder":
        file.parts[key] = try reader.readPart()
      default: try reader.skipValue()
      }
    }
    try reader.expectEnd()
    self = file
  }

  private mutating func readAddedTokens(_ reader: inout JSONCursor) throws {
    var added: [AddedToken] = []
    try reader.readArray { reader in
      let token = try reader.readValue()
      guard let id = token["id"]?.intValue, id >= 0, let text = token["content"]?.stringValue else {
        throw reader.error("an added token has no id or no content")
      }
      for flag in ["single_word", "lstrip", "rstrip"] where token[flag]?.boolValue == true {
        throw TokenizerError.unsupported("The added token \(id)", flag)
      }
      added.append(
        AddedToken(id: id, text: text, isSpecial: token["special"]?.boolValue ?? false))
    }
    self.added = added
  }

  private mutating func readModel(_ reader: inout JSONCursor) throws {
    hasModel = true
    var file = self
    try reader.readObject { reader, key in
      switch key {
      case "vocab": try file.readVocabulary(&reader)
      case "merges": file.merges = try Self.merges(&reader)
      default: file.model[key] = try reader.readPart()
      }
    }
    self = file
  }

  /// Reads the vocabulary and, if they are next as in nearly every file, the merges.
  private mutating func readVocabulary(_ reader: inout JSONCursor) throws {
    let start = reader
    let (vocabulary, ahead) = concurrently(
      { Result { try Vocabulary(start) } }, { try? MergesAhead(start) })
    let read = try vocabulary.get()
    (pieces, ids, reader) = (read.pieces, read.ids, read.end)
    if let ahead, ahead.start.offset == reader.offset {
      (merges, reader) = (ahead.merges, ahead.end)
    }
  }

  private struct Vocabulary {
    var pieces = ByteStrings()
    var ids: [Int] = []
    /// Stands after the vocabulary.
    var end: JSONCursor

    init(_ start: JSONCursor) throws {
      var reader = start
      guard try reader.peek() == 0x7B else {
        throw TokenizerError.unsupported("The vocabulary", "a list")
      }
      try reader.expect(0x7B)
      if try reader.take(0x7D) {
        end = reader
        return
      }
      // What is not filled is never touched, and so no memory.
      var ids: [Int] = []
      ids.reserveCapacity(reader.remaining / TokenizerJSON.leastEntry)
      pieces = try ByteStrings(
        about: reader.remaining / TokenizerJSON.leastEntry, byteCount: reader.remaining
      ) { bytes in
        try reader.readString(into: &bytes)
        try reader.expect(0x3A)
        let id = try reader.readInteger()
        guard id >= 0 else { throw reader.error("an id is negative") }
        ids.append(id)
        return try reader.take(0x2C)
      }
      self.ids = ids
      try reader.expect(0x7D)
      end = reader
    }
  }

  /// The merges after a vocabulary, which is only passed over.
  ///
  /// Its errors mean nothing: whoever reads the vocabulary may come to another before, and will come to
  /// the same.
  private struct MergesAhead {
    /// Stands after the vocabulary.
    let start: JSONCursor
    let merges: TokenizerDefinition.Merges
    /// Stands after the merges.
    let end: JSONCursor

    init?(_ vocabulary: JSONCursor) throws {
      var reader = vocabulary
      try reader.skipValue()
      start = reader
      guard try reader.take(0x2C), try reader.readString() == "merges" else { return nil }
      try reader.expect(0x3A)
      merges = try TokenizerJSON.merges(&reader)
      end = reader
    }
  }

  private static func merges(
    _ reader: inout JSONCursor
  ) throws -> TokenizerDefinition.Merges {
    try reader.expect(0x5B)
    if try reader.take(0x5D) { return .joined(ByteStrings()) }
    var (count, pairs) = (0, 0)
    var isInPair = false
    let strings = try ByteStrings(
      about: reader.remaining / leastEntry, byteCount: reader.remaining
    ) { bytes in
      if isInPair {
        try reader.readString(into: &bytes)
        try reader.expect(0x5D)
        isInPair = false
        return try reader.take(0x2C)
      }
      count += 1
      if try reader.take(0x5B) {
        pairs += 1
        try reader.readString(into: &bytes)
        try reader.expect(0x2C)
        isInPair = true
        return true
      }
      try reader.readString(into: &bytes)
      return try reader.take(0x2C)
    }
    try reader.expect(0x5D)
    guard pairs == 0 || pairs == count else {
      throw reader.error("some merges are strings and some are pairs")
    }
    return pairs == 0 ? .joined(strings) : .parts(strings)
  }

  /// Bytes of a short entry of a vocabulary, as `"a":9,`.
  private static let leastEntry = 6

  // MARK: Meaning

  consuming func definition() throws(TokenizerError) -> TokenizerDefinition {
    guard hasModel else { throw .missing("model") }
    if let type = model["type"]?.stringValue, type != "BPE" {
      throw .unsupported("The model", type)
    }
    for key in ["continuing_subword_prefix", "end_of_word_suffix"] {
      if let affix = model[key]?.stringValue, !affix.isEmpty {
        throw .unsupported("The model", key)
      }
    }
    if let dropout = model["dropout"]?.doubleValue, dropout != 0 {
      throw .unsupported("The model", "dropout")
    }
    let preTokenizer = try JSONPreTokenizer(parts["pre_tokenizer"])
    let normaliser = try JSONNormaliser(parts["normalizer"])
    let (entries, kinds) = try entries(hasBytes: !preTokenizer.isByteLevel)
    let roles = roles(in: entries)
    if preTokenizer.isByteLevel {
      guard !normaliser.replacesSpaces, !normaliser.prefixesSpace else {
        throw .unsupported("The normalizer", "Replace before ByteLevel")
      }
      return TokenizerDefinition(
        model: .byteLevel(
          merges: merges, ignoresMerges: model["ignore_merges"]?.boolValue ?? false),
        pieces: entries, kinds: kinds, preTokenizer: preTokenizer.preTokenizer,
        normaliser: normaliser.form, roles: roles)
    }
    guard normaliser.replacesSpaces, model["byte_fallback"]?.boolValue == true else {
      throw .unsupported("The model", "BPE without ByteLevel or byte fallback")
    }
    // Gemma's is cut at spaces, of which its normaliser leaves none.
    guard preTokenizer.cutsAtSpacesOnly else {
      throw .unsupported("The pre_tokenizer", "a pattern before byte fallback")
    }
    return TokenizerDefinition(
      model: .characters(.merges(merges), addsSpacePrefix: normaliser.prefixesSpace),
      pieces: entries, kinds: kinds, preTokenizer: PreTokenizer([]),
      normaliser: normaliser.form, roles: roles)
  }

  /// Pieces and kinds in id order; ids that the file leaves out are unused.
  private func entries(
    hasBytes: Bool
  ) throws(TokenizerError) -> (ByteStrings, [TokenKind]) {
    let count = max(ids.max() ?? -1, added.map(\.id).max() ?? -1) &+ 1
    let known = ids.count + added.count
    guard count > 0 else { throw .emptyVocabulary }
    guard count <= 4 * known + 1024 else { throw .sparseIDs(greatest: count - 1, entries: known) }
    var places = [Int](repeating: -1, count: count)
    for (place, id) in ids.enumerated() {
      if places[id] >= 0 {
        throw .duplicateID(id, pieces.text(places[id]), pieces.text(place))
      }
      places[id] = place
    }
    // An added token stands in the vocabulary too, or does not; below −1 are the places of these.
    for (place, token) in added.enumerated() {
      if places[token.id] < -1 {
        throw .duplicateID(token.id, added[-2 - places[token.id]].text, token.text)
      }
      places[token.id] = -2 - place
    }
    let unknown = model["unk_token"]?.stringValue
    let text = pieces.bytes.span
    let entries = ByteStrings(
      count: count,
      byteCount: text.count + added.reduce(0) { $0 + $1.text.utf8.count }
    ) { id, bytes in
      if places[id] < -1 {
        for byte in added[-2 - places[id]].text.utf8 { bytes.append(byte) }
      } else if places[id] >= 0 {
        bytes.append(pieces.range(places[id]), of: text)
      }
    }
    let kinds = places.map { place -> TokenKind in
      if place < -1 {
        let token = added[-2 - place]
        let isControl = token.isSpecial || token.looksSpecial
        return hasBytes && token.text == unknown
          ? .unknown : isControl ? .control : .userDefined
      }
      if place < 0 { return .unused }
      return hasBytes && CharacterModel.byte(spelledBy: pieces[place]) != nil ? .byte : .normal
    }
    return (entries, kinds)
  }

  private func roles(in entries: ByteStrings) -> TokenizerDefinition.Roles {
    var roles = TokenizerDefinition.Roles()
    let unknown = model["unk_token"]?.stringValue
    if let token = added.first(where: { $0.text == unknown }) {
      roles.unknown = TokenID(exactly: token.id)
    }
    if let name = beginning(in: parts["post_processor"], depth: 0),
      let token = added.first(where: { $0.text == name })
    {
      roles.beginning = TokenID(exactly: token.id)
      roles.addsBeginning = true
    }
    return roles
  }

  /// The special token that a post-processor puts before a text.
  private func beginning(in processor: JSONValue?, depth: Int) -> String? {
    guard let processor, depth < 8 else { return nil }
    switch processor.type {
    case "Sequence":
      return (processor["processors"]?.arrayValue ?? []).lazy
        .compactMap { beginning(in: $0, depth: depth + 1) }.first
    case "TemplateProcessing":
      return processor["single"]?.arrayValue?.first?["SpecialToken"]?["id"]?.stringValue
    default:
      return nil
    }
  }
}

/// What tokenizer.json's `normalizer` says.
private struct JSONNormaliser {
  private(set) var form = TokenizerDefinition.Normaliser.none
  /// Spaces become U+2581.
  private(set) var replacesSpaces = false
  /// A text gets a U+2581 in front.
  private(set) var prefixesSpace = false

  init(_ value: JSONValue?) throws(TokenizerError) {
    if let value { try append(value, depth: 0) }
  }

  private mutating func append(_ value: JSONValue, depth: Int) throws(TokenizerError) {
    let type = value.type ?? ""
    switch type {
    case "Sequence" where depth < 8:
      for part in value["normalizers"]?.arrayValue ?? [] { try append(part, depth: depth + 1) }
    case "NFC":
      form = .nfc
    case "Replace"
    where value["pattern"]?["String"]?.stringValue == " " && value["content"]?.stringValue == "▁":
      replacesSpaces = true
    case "Prepend" where value["prepend"]?.stringValue == "▁":
      prefixesSpace = true
    default:
      throw .unsupported("The normalizer", type)
    }
  }
}
