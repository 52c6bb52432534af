/// The completion script for bash.
enum BashCompletion {
  static var script: String {
    """
    # bash completion for pipit, made by 'pipit completions bash'.
    _pipit_conversations() {
      \(Shell.conversations(printing: "id"))
    }
    _pipit_models() {
      \(Shell.models)
    }
    _pipit_menu() {
      \(Shell.menu)
    }
    _pipit() {
      local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
      local command= first= flags= words= word value=
      COMPREPLY=()
      # Bash takes --flag=value for three words.
      if [[ $current == = ]]; then
        current=
      elif [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
      fi
      # The command and its first argument, among flags and their values.
      for word in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
        if [[ $word == = ]]; then
          value=1
        elif [[ $value ]]; then
          value=
        else
          case $word in
            \(Shell.valueFlags)) value=1 ;;
            -*) ;;
            *)
              if [[ ! $command ]]; then
                command=$word
              elif [[ ! $first ]]; then
                first=$word
              fi
              ;;
          esac
        fi
      done
      case $previous in
    \(valueCases)
      esac
      case $command in
    \(commandCases)
        *)
          flags='\(names(Command.run.distinctFlags))'
          [[ $command ]] || words='\(Command.all.map(\.name).joined(separator: " "))'
          ;;
      esac
      if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$flags" -- "$current"))
      else
        COMPREPLY=($(compgen -W "$words" -- "$current"))
      fi
    }
    complete -o default -F _pipit pipit

    """
  }

  private static func names(_ flags: [Flag]) -> String {
    flags.flatMap(\.names).joined(separator: " ")
  }

  private static var commandCases: String {
    Command.all.map { command in
      """
          \(command.name))
            flags='\(names(command.distinctFlags))'
            words='\(command.argumentWords.joined(separator: " "))'
      \(argumentCases(command))      ;;
      """
    }.joined(separator: "\n")
  }

  /// What is offered in place of its words, by its first argument.
  private static func argumentCases(_ command: Command) -> String {
    var cases = command.followers.compactMap { follower in
      follower.operand.listing.map { "\(follower.words.joined(separator: "|"))) words=$(\($0)) ;;" }
    }
    if !command.argumentWords.isEmpty {
      cases = ["'') ;;"] + cases + ["*) words= ;;"]
    } else if let listing = command.operand?.listing {
      cases = ["'') words=$(\(listing)) ;;"]
    }
    if cases.isEmpty { return "" }
    let lines = cases.map { "          \($0)\n" }.joined()
    return "        case $first in\n\(lines)        esac\n"
  }

  private static var valueCases: String {
    Flag.all.compactMap { flag in
      guard let completion = flag.completion else { return nil }
      let candidates: String? =
        switch completion {
        case .words(let words): "'" + words.joined(separator: " ") + "'"
        case .model: "\"$(_pipit_models)\""
        case .conversation: "\"$(_pipit_conversations)\""
        case .file, .nothing: nil
        }
      let action =
        candidates.map { "        COMPREPLY=($(compgen -W \($0) -- \"$current\"))\n" } ?? ""
      return """
            \(flag.names.joined(separator: "|")))
        \(action)        return
              ;;
        """
    }.joined(separator: "\n")
  }
}
