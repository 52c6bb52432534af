/// Text to token ids and back.
///
/// A text is first split at the literals of special tokens, as they stand; what is between is
/// normalised, cut by the pre-tokeniser and merged.
package final class Tokenizer: Sendable {
  /// What the literals of control tokens in a text are.
  package enum ControlTokens: Sendable, Hashable {
    /// The tokens.
    case matched
    /// Plain text.
    ///
    /// User-defined tokens are matched all the same.
    case text
    /// The tokens, except where `guarding(_:)` has broken them.
    case guarded
  }

  enum Model: Sendable {
    case byteLevel(ByteLevelModel)
    case characters(CharacterModel)
  }

  private static let literalLimit = 512

  let vocabulary: Vocabulary
  let model: Model
  private let cutter: PreTokenizer.Cutter
  private let normaliser: TokenizerDefinition.Normaliser
  /// Of control and user-defined tokens.
  private let literals: LiteralMatcher
  private let userDefinedLiterals: LiteralMatcher

  package let roles: TokenizerDefinition.Roles

  package init(_ definition: TokenizerDefinition) throws {
    switch definition.model {
    case .byteLevel(let merges, let ignoresMerges):
      let byteLevel = try ByteLevelModel(
        spellings: definition.pieces, kinds: definition.kinds, merges: merges,
        ignoresMerges: ignoresMerges)
      model = .byteLevel(byteLevel)
      vocabulary = byteLevel.vocabulary
    case .characters(let order, let addsSpacePrefix):
      let characters = try CharacterModel(definition, order, addsSpacePrefix: addsSpacePrefix)
      model = .characters(characters)
      vocabulary = characters.vocabulary
    }
    cutter = try PreTokenizer.Cutter(definition.preTokenizer)
    normaliser = definition.normaliser
    roles = definition.roles
    try Self.check(roles, count: vocabulary.count)
    let special = try Self.literals(of: vocabulary)
    literals = LiteralMatcher(special)
    userDefinedLiterals = LiteralMatcher(special.filter { !$0.isControl })
  }

  /// Entries of the vocabulary.
  package var count: Int { vocabulary.count }

  /// The ids of `text`, without a beginning-of-text token.
  ///
  /// O(n log n) in the length of the text.
  ///
  /// - Throws: `TokenizerError.patternFailed` if the pre-tokeniser's pattern runs into a limit.
  package func encode(_ text: String, _ control: ControlTokens) throws -> [TokenID] {
    var bytes = Array(text.utf8)
    guard bytes.count < Int32.max else {
      throw TokenizerError.tooMany(
        of: "bytes of text", count: bytes.count, limit: Int(Int32.max))
    }
    var guards: [Int] = []
    if control == .guarded, Guard.isPresent(in: bytes.span) {
      (bytes, guards) = Guard.removed(from: bytes.span)
    }
    let matcher = control == .text ? userDefinedLiterals : literals

    var ids: [TokenID] = []
    var merger = BytePairMerger()
    var position = 0
    var nextGuard = 0
    while position < bytes.count {
      let match = matcher.next(
        in: bytes.span, from: position, guards: guards, nextGuard: &nextGuard)
      let end = match?.range.lowerBound ?? bytes.count
      if position < end {
        try encode(bytes.span.extracting(position..<end), with: &merger, into: &ids)
      }
      if let match { ids.append(match.id) }
      position = match?.range.upperBound ?? bytes.count
    }
    return ids
  }

  private func encode(
    _ text: Span<UInt8>, with merger: inout BytePairMerger, into ids: inout [TokenID]
  ) throws {
    let normal = normaliser == .nfc ? try NFC.normalised(text) : nil
    if let normal {
      try encode(normalised: normal.span, with: &merger, into: &ids)
    } else {
      try encode(normalised: text, with: &merger, into: &ids)
    }
  }

  private func encode(
    normalised text: Span<UInt8>, with merger: inout BytePairMerger, into ids: inout [TokenID]
  ) throws {
    switch model {
    case .byteLevel(let model):
      for piece in try cutter.cut(text) {
        model.encode(text, piece, with: &merger, into: &ids)
      }
    case .characters(let model):
      model.encode(text, with: &merger, into: &ids)
    }
  }

  /// Whether some tokens stand for one byte each of a character without a piece.
  var fallsBackToBytes: Bool {
    if case .characters = model { true } else { false }
  }

  /// `content` marked so that `encode(_:.guarded)` finds no control token in it, nor across its
  /// edges, and gives it the ids of plain text.
  package func guarding(_ content: String) -> String {
    String(decoding: Guard.guarded(content, against: literals), as: UTF8.self)
  }

  /// The id whose text is exactly `piece`; that of a special token if there is one.
  package func id(of piece: String) -> TokenID? {
    if let literal = literals.literals.first(where: { $0.bytes.elementsEqual(piece.utf8) }) {
      return literal.id
    }
    let bytes = Array(piece.utf8)
    return vocabulary.id(of: bytes.span, 0..<bytes.count)
  }

  private static func literals(
    of vocabulary: Vocabulary
  ) throws(TokenizerError) -> [LiteralMatcher.Literal] {
    var literals: [LiteralMatcher.Literal] = []
    var owners: [[UInt8]: Int] = [:]
    for (id, kind) in vocabulary.kinds.enumerated() {
      guard kind == .control || kind == .unknown || kind == .userDefined else { continue }
      let bytes = Array(vocabulary.pieces[id])
      // No text holds it, and a match inside a character would not leave text on its two sides.
      guard UTF8Repair.isValid(bytes.span) else { continue }
      guard !bytes.isEmpty else { throw .emptyLiteral(id: id) }
      guard bytes.count <= literalLimit else {
        throw .literalTooLong(id: id, count: bytes.count, limit: literalLimit)
      }
      guard !Guard.isPresent(in: bytes.span) else { throw .literalHoldsGuard(id: id) }
      if let other = owners.updateValue(id, forKey: bytes) {
        throw .duplicatePiece(vocabulary.pieces.text(id), first: other, second: id)
      }
      literals.append(
        LiteralMatcher.Literal(id: TokenID(id), isControl: kind != .userDefined, bytes: bytes))
    }
    return literals
  }

  private static func check(
    _ roles: TokenizerDefinition.Roles, count: Int
  ) throws(TokenizerError) {
    let named = [
      ("beginning-of-text", roles.beginning), ("end-of-text", roles.end),
      ("end-of-turn", roles.endOfTurn), ("end-of-message", roles.endOfMessage),
      ("unknown", roles.unknown), ("padding", roles.padding),
    ]
    for case (let role, let id?) in named where !(0..<count).contains(Int(id)) {
      throw .roleOutside(role: role, id: Int(id), pieces: count)
    }
  }
}
