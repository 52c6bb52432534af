package import Templates

/// Why a conversation cannot be continued from its tokens and has to be rendered anew.
package enum GlueFailure: Error, Sendable, Equatable {
  /// There is no reply, or nothing after it.
  case nothingNew
  case template(TemplateError)
  /// The template does not write the reply exactly once as it is given.
  case replyRendered(times: Int)
  /// The template does not leave a new system message where it was said.
  case systemMessageMoves
}

extension GlueFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .nothingNew: "No message follows the last reply."
    case .template(let error): error.description
    case .replyRendered(let times):
      "The chat template writes a reply \(times) times instead of once."
    case .systemMessageMoves:
      "The chat template takes system messages at the beginning only."
    }
  }
}
