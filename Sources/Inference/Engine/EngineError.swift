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
  /// The model has produced a logit that is not a number: the value's place in the vocabulary.
  case nonFiniteLogit(token: Int, position: Int)
}

extension EngineError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notLoaded: "No model is loaded."
    case .busy: "The engine is already generating a reply."
    case .emptyPrompt: "The prompt is empty."
    case .unknownToken(let token, let count):
      "Token \(token) is outside the model's vocabulary of \(count) tokens."
    case .nonFiniteLogit(let token, let position):
      """
      The model's output for token \(token) after position \(position) is not a finite number; \
      its file may be damaged.
      """
    }
  }
}
