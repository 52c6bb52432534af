/// The completion script for fish.
enum FishCompletion {
  static var script: String {
    let lines =
      Command.all.map { command in
        "complete -c pipit -n __fish_use_subcommand -f -a \(command.name)"
          + " -d \(quoted(command.summary))"
      }
      + Command.run.distinctFlags.map { line($0, condition: "__fish_use_subcommand") }
      + Command.all.flatMap(commandLines)
    return """
      # fish completion for pipit, made by 'pipit completions fish'.
      function _pipit_models
        \(Shell.models)
      end
      function _pipit_menu
        \(Shell.menu)
      end
      function _pipit_conversations
        \(Shell.conversations(printing: #"id "\t" $0"#))
      end
      \(lines.joined(separator: "\n"))

      """
  }

  private static func commandLines(_ command: Command) -> [String] {
    let condition = "__fish_seen_subcommand_from \(command.name)"
    let words = command.argumentWords
    // Once one of the words is there, what follows is not another. 'help' is one of its own.
    let others = words.filter { $0 != command.name }.joined(separator: " ")
    var arguments: [String] = []
    if !words.isEmpty {
      arguments.append(
        "complete -c pipit -n '\(condition); and not __fish_seen_subcommand_from \(others)' -f"
          + " -a '\(words.joined(separator: " "))'")
    } else if let listing = command.operand?.listing {
      arguments.append("complete -c pipit -n '\(condition)' -a '(\(listing))'")
    }
    for (operand, words) in command.followers {
      guard let listing = operand.listing else { continue }
      let isFile = operand == .model ? "" : " -f"
      arguments.append(
        "complete -c pipit -n '\(condition); and __fish_seen_subcommand_from"
          + " \(words.joined(separator: " "))'\(isFile) -a '(\(listing))'")
    }
    return arguments + command.distinctFlags.map { line($0, condition: condition) }
  }

  private static func line(_ flag: Flag, condition: String) -> String {
    let names = flag.names.map { name in
      name.hasPrefix("--") ? "-l \(name.dropFirst(2))" : "-s \(name.dropFirst())"
    }
    let value =
      switch flag.completion {
      case nil: ""
      case .words(let words): " -x -a '\(words.joined(separator: " "))'"
      case .model: " -r -F -a '(_pipit_models)'"
      case .conversation: " -x -a '(_pipit_conversations)'"
      case .file: " -r -F"
      case .nothing: " -x"
      }
    return "complete -c pipit -n '\(condition)' \(names.joined(separator: " "))\(value)"
      + " -d \(quoted(flag.help))"
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
