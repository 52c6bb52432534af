/// Why a template could not be compiled or rendered, and where.
package struct TemplateError: Error, Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// The source is no valid template.
    case syntax(String)
    /// A part of Jinja that Pipit does not have.
    case unsupported(String)
    /// An operation its values do not allow.
    case evaluation(String)
    /// `raise_exception`: the template itself refuses its input, with this message.
    case raised(String)
    /// A bound that untrusted templates are held to.
    case limit(Limit, Int)
  }

  package enum Limit: String, Sendable {
    case sourceBytes = "source bytes"
    case outputBytes = "bytes of output"
    case steps = "steps"
    case depth = "levels of nesting"
    case valueDepth = "lists within lists"
  }

  package var kind: Kind
  /// 1-based line in the template; 0 when no place can be given.
  package var line: Int
  /// 1-based column in code points; 0 when no place can be given.
  package var column: Int
}

extension TemplateError: CustomStringConvertible {
  package var description: String {
    let place = line > 0 ? " (chat template, line \(line), column \(column))" : ""
    return switch kind {
    case .syntax(let message): "The chat template is malformed: \(message)\(place)."
    case .unsupported(let feature):
      "The chat template uses \(feature), which is not supported\(place)."
    case .evaluation(let message): "The chat template failed: \(message)\(place)."
    case .raised(let message): "The chat template refuses this conversation: \(message)\(place)."
    case .limit(let limit, let bound):
      "The chat template exceeds the limit of \(bound) \(limit.rawValue)\(place)."
    }
  }
}
