import Tokenizers

/// The tokens of a `ScriptedEngine`: bytes, and after them the control tokens.
enum ScriptedVocabulary {
  static let control = ["<|im_end|>", "<|im_start|>", "<think>", "</think>"]
  static let endOfTurn: TokenID = 256
  static let count = 256 + control.count

  static func encode(_ text: String, matchingControl: Bool) -> [TokenID] {
    var tokens: [TokenID] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.first {
      let match = matchingControl ? control.firstIndex { rest.starts(with: $0.utf8) } : nil
      if let match {
        tokens.append(endOfTurn + TokenID(match))
        rest = rest.dropFirst(control[match].utf8.count)
      } else {
        tokens.append(TokenID(byte))
        rest = rest.dropFirst()
      }
    }
    return tokens
  }

  static func decode(_ tokens: [TokenID], skippingControl: Bool) -> String {
    var bytes: [UInt8] = []
    for token in tokens {
      if let byte = UInt8(exactly: token) {
        bytes.append(byte)
      } else if !skippingControl, token >= endOfTurn, Int(token) < count {
        bytes += control[Int(token - endOfTurn)].utf8
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// As many whole characters as have at most `limit` tokens.
  static func prefix(of text: String, tokens limit: Int) -> String {
    guard encode(text, matchingControl: true).count > limit else { return text }
    var end = text.startIndex
    for index in text.indices {
      let next = text.index(after: index)
      guard encode(String(text[..<next]), matchingControl: true).count <= limit else { break }
      end = next
    }
    return String(text[..<end])
  }
}
