import Inference
import Tokenizers

/// Test-only: a model of bytes for the raw commands, beside `ScriptedEngine`.
struct ScriptedModel: TextModel, RawModel {
  /// The control token 256.
  private static let literal = "<|im_end|>"

  let template: String? = "{{ bos_token }}{{ messages[0].content }}"
  let templateVariables: [(name: String, value: String)] = [("bos_token", "^")]

  func encode(_ text: String, matchingControl: Bool) throws -> [TokenID] {
    if matchingControl, text.hasSuffix(Self.literal) {
      return text.dropLast(Self.literal.count).utf8.map { TokenID($0) } + [256]
    }
    return text.utf8.map { TokenID($0) }
  }

  func bytes(of tokens: [TokenID]) throws -> [UInt8] {
    try tokens.flatMap { token in
      if token == 256 { return Array(Self.literal.utf8) }
      guard let byte = UInt8(exactly: token) else {
        throw EngineError.unknownToken(token, count: 257)
      }
      return [byte]
    }
  }

  /// The token and a half.
  func logits(
    of tokens: [TokenID], chunk: Int?,
    onPosition: @escaping @Sendable ([Float]) throws -> Void
  ) async throws {
    for token in tokens { try onPosition([Float(token), 0.5]) }
  }
}

extension ScriptedModel: EvaluatedModel {
  func encode(_ text: String) throws -> [TokenID] {
    try encode(text, matchingControl: false)
  }

  var textBeginning: TokenID? { nil }

  /// Of all bytes each is as likely, but a newline is certain.
  func surprisals(of tokens: [TokenID], after first: Int) async throws -> [Double] {
    tokens[(first + 1)...].map { $0 == 10 ? 0 : 5.545177444479562 }
  }

  var speed: (threads: Int, backend: String) { (1, "scripted") }
}
