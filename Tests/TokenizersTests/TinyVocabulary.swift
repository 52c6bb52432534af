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

/// Random numbers that are the same in every run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// U+FDD0, which Swift does not allow in a literal.
let noncharacter = String(decoding: [0xEF, 0xB7, 0x90], as: UTF8.self)
/// U+FDD1.
let secondNoncharacter = String(decoding: [0xEF, 0xB7, 0x91], as: UTF8.self)
