/// The shells that command lines are completed for.
enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// The script that teaches the shell Pipit's commands and flags.
  var script: String {
    switch self {
    case .bash: BashCompletion.script
    case .zsh: ZshCompletion.script
    case .fish: FishCompletion.script
    }
  }
}

extension Shell {
  /// Shell words that print the last conversations, as awk makes them of a list's lines.
  static func conversations(printing expression: String) -> String {
    // A line's other fields are the date, the time and the number of messages.
    """
    pipit history list --limit 50 --quiet 2>/dev/null | awk '\
    length($1) == 8 && $1 ~ /^[0-9a-f]+$/ { \
    id = $1; $1 = $2 = $3 = $4 = $5 = ""; sub(/^ +/, ""); print \(expression) }'
    """
  }
}

extension Shell {
  /// A shell command that prints the models that are here, by name.
  static let models = "pipit models list --installed --quiet 2>/dev/null | awk '{print $1}'"
  /// And those of the menu.
  static let menu = "pipit models list --quiet 2>/dev/null | awk '{print $1}'"

  /// The flags that the next word is the value of, as a pattern of `case`.
  static var valueFlags: String {
    Flag.all.filter { $0.completion != nil }.flatMap(\.names).joined(separator: "|")
  }
}

/// What completes the value of a flag.
enum ValueCompletion: Equatable {
  /// One of these words.
  case words([String])
  /// An installed model, or a path.
  case model
  /// The identifier of a conversation.
  case conversation
  /// A path.
  case file
  /// Nothing: a number or a text.
  case nothing
}

extension Flag {
  /// Nil for a flag without a value.
  var completion: ValueCompletion? {
    guard let placeholder else { return nil }
    if !choices.isEmpty { return .words(choices) }
    switch placeholder {
    case "MODEL": return .model
    case "ID": return .conversation
    case "FILE": return .file
    default:
      // `N|auto`: what is not in capitals stands for itself.
      let words = placeholder.split(separator: "|").map(String.init)
        .filter { $0 != $0.uppercased() || Int($0) != nil }
      return words.isEmpty ? .nothing : .words(words)
    }
  }
}

extension Command {
  /// The words that its first argument is one of.
  var argumentWords: [String] {
    name == "help" ? Command.all.map(\.name) : words
  }
}
