import Tokenizers

extension Tokenizer {
  /// A vocabulary of the 256 bytes and the given literals, which no merge rule joins.
  static func bytes(
    control: [String] = ["<|im_start|>", "<|im_end|>", "<|endoftext|>"],
    userDefined: [String] = ["<think>", "</think>", "<tool_call>", "</tool_call>"],
    beginning: String? = nil
  ) throws -> Tokenizer {
    let pieces = (0..<256).map { String(spelling(of: UInt8($0))) } + control + userDefined
    let kinds: [TokenKind] =
      Array(repeating: .normal, count: 256) + control.map { _ in .control }
      + userDefined.map { _ in .userDefined }
    var roles = TokenizerDefinition.Roles()
    if let beginning {
      roles.beginning = pieces.firstIndex(of: beginning).map { TokenID($0) }
      roles.addsBeginning = true
    }
    return try Tokenizer(
      TokenizerDefinition(
        model: .byteLevel(merges: .joined(ByteStrings()), ignoresMerges: false),
        pieces: ByteStrings(pieces),
        kinds: kinds, preTokenizer: .qwen2, roles: roles))
  }

  /// The printable character that byte-level vocabularies write a byte as.
  private static func spelling(of byte: UInt8) -> Character {
    let isItself: (UInt8) -> Bool = {
      (33...126).contains($0) || (161...172).contains($0) || $0 >= 174
    }
    let others = (0..<byte).count { !isItself($0) }
    let code = isItself(byte) ? UInt32(byte) : 256 + UInt32(others)
    return Unicode.Scalar(code).map { Character($0) } ?? "?"
  }
}
