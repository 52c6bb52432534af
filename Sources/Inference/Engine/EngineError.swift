package import Tokenizers

/// What an engine refuses regardless of the model's files.
package enum EngineError: Error, Equatable {
  /// No model is loaded.
  case notLoaded
  /// A reply is being generated already.
  case busy
  /// The prompt has no tokens.
  case emptyPrompt
  /// A token is not in the vocabulary of `count` tokens.
  case unknownToken(TokenID, count: Int)
  /// The model gave a token a logit that is not finite, for the n-th token of the reply.
  case nonFiniteLogit(token: Int, step: Int)
  /// The tokenizer has more tokens than the model's output has rows.
  case vocabularyMismatch(tokens: Int, rows: Int)
  /// The library behind the reference backend is not installed.
  case noReferenceBackend
}

extension EngineError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notLoaded: "No model is loaded."
    case .busy: "The engine is already generating a reply."
    case .emptyPrompt: "The prompt is empty."
    case .unknownToken(let token, let count):
      "Token \(token) is outside the model's vocabulary of \(count) tokens."
    case .vocabularyMismatch(let tokens, let rows):
      "The tokenizer has \(tokens) tokens and the model's output only \(rows)."
    case .noReferenceBackend:
      "The reference backend needs OpenBLAS, which is not installed (libopenblas0 on Debian)."
    case .nonFiniteLogit(let token, let step):
      """
      The model's output for token \(token) is not a finite number, at token \(step) of the \
      reply; its file may be damaged.
      """
    }
  }
}
