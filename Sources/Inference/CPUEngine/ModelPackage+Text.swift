package import Tokenizers

extension ModelPackage {
  /// What templates expect of a model beside the messages: the texts of its special tokens.
  package var templateVariables: [(name: String, value: String)] {
    let roles = tokenizer.roles
    let named: [(String, TokenID?)] = [
      ("bos_token", roles.beginning), ("eos_token", roles.end), ("unk_token", roles.unknown),
      ("pad_token", roles.padding),
    ]
    return named.compactMap { name, id in
      id.map { (name, tokenizer.decode([$0], skippingControl: false)) }
    }
  }

  /// The ids of a text; with `matchingControl` literals of control tokens become those tokens.
  package func encode(_ text: String, matchingControl: Bool) throws -> [TokenID] {
    try tokenizer.encode(text, matchingControl ? .matched : .text)
  }

  /// The bytes that ids stand for, which need not be whole characters.
  package func bytes(of tokens: [TokenID]) throws -> [UInt8] {
    try tokens.flatMap { token in
      guard token >= 0, Int(token) < tokenizer.count else {
        throw EngineError.unknownToken(token, count: tokenizer.count)
      }
      return tokenizer.bytes(of: token)
    }
  }
}
