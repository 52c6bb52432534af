package import JSON

/// Why a request cannot be made a prompt, the template's own errors aside.
package enum PromptError: Error, Sendable, Equatable {
  case unreadableTools(JSONError)
  case toolsAreNoList
}

extension PromptError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreadableTools(let error): "The tools cannot be read. \(error.description)"
    case .toolsAreNoList: "The tools are not a JSON array."
    }
  }
}
