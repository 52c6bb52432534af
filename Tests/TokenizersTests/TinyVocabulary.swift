import Tokenizers

extension TokenizerDefinition {
  /// Every byte as the id of its value, then what the merges make, then special tokens.
  static func tiny(
    merges: [(String, String)] = [], special: [(String, TokenKind)] = [],
    preTokenizer: PreTokenizer = PreTokenizer([]), normaliser: Normaliser = .none,
    ignoresMerges: Bool = false
  ) -> TokenizerDefinition {
    let spellings = VocabularyFixture.spellings()
    func spelled(_ text: String) -> [UInt8] { text.utf8.flatMap { spellings[Int($0)] } }
    var pieces = ByteStrings()
    for spelling in spellings { pieces.append(spelling) }
    var parts = ByteStrings()
    for (left, right) in merges {
      parts.append(spelled(left))
      parts.append(spelled(right))
      pieces.append(spelled(left + right))
    }
    let ordinary = pieces.count
    for (literal, _) in special { pieces.append(literal.utf8) }
    return TokenizerDefinition(
      model: .byteLevel(merges: .parts(parts), ignoresMerges: ignoresMerges), pieces: pieces,
      kinds: [TokenKind](repeating: .normal, count: ordinary) + special.map(\.1),
      preTokenizer: preTokenizer, normaliser: normaliser)
  }
}

/// U+FDD0, which Swift does not allow in a literal.
let noncharacter = String(decoding: [0xEF, 0xB7, 0x90], as: UTF8.self)
/// U+FDD1.
let secondNoncharacter = String(decoding: [0xEF, 0xB7, 0x91], as: UTF8.self)
