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
      function __pipit_models
        pipit models list --installed --quiet 2>/dev/null | awk '{print $1}'
      end
      function __pipit_conversations
        \(Shell.conversations(printing: #"id "\t" $0"#))
      end
      \(lines.joined(separator: "\n"))

      """
  }

  private static func commandLines(_ command: Command) -> [String] {
    let condition = "__fish_seen_subcommand_from \(command.name)"
    let words = command.argumentWords
    // Once one of the words is there, what follows is not another.
    let isFirst =
      command.conversationWords.isEmpty
      ? "" : "; and not __fish_seen_subcommand_from \(words.joined(separator: " "))"
    let argument =
      words.isEmpty
      ? []
      : ["complete -c pipit -n '\(condition)\(isFirst)' -f -a '\(words.joined(separator: " "))'"]
    let taking = command.conversationWords.joined(separator: " ")
    let conversations =
      taking.isEmpty
      ? []
      : [
        "complete -c pipit -n '\(condition); and __fish_seen_subcommand_from \(taking)' -f"
          + " -a '(__pipit_conversations)'"
      ]
    return argument + conversations + command.distinctFlags.map { line($0, condition: condition) }
  }

  private static func line(_ flag: Flag, condition: String) -> String {
    let names = flag.names.map { name in
      name.hasPrefix("--") ? "-l \(name.dropFirst(2))" : "-s \(name.dropFirst())"
    }
    let value =
      switch flag.completion {
      case nil: ""
      case .words(let words): " -x -a '\(words.joined(separator: " "))'"
      case .model: " -r -F -a '(__pipit_models)'"
      case .conversation: " -x -a '(__pipit_conversations)'"
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
