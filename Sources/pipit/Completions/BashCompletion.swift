/// The completion script for bash.
enum BashCompletion {
  static var script: String {
    """
    # bash completion for pipit, made by 'pipit completions bash'.
    _pipit_conversations() {
      \(Shell.conversations(printing: "id"))
    }
    _pipit() {
      local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
      local command= flags= words= word
      COMPREPLY=()
      # Bash takes --flag=value for three words.
      if [[ $current == = ]]; then
        current=
      elif [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
      fi
      for word in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
        case $word in
          \(Command.all.map(\.name).joined(separator: "|")))
            command=$word
            break
            ;;
        esac
      done
      case $previous in
    \(valueCases)
      esac
      case $command in
    \(commandCases)
        *)
          flags='\(names(Command.run.distinctFlags))'
          words='\(Command.all.map(\.name).joined(separator: " "))'
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
      \(conversationWords(command))      ;;
      """
    }.joined(separator: "\n")
  }

  /// What follows the words of a command that take a conversation.
  private static func conversationWords(_ command: Command) -> String {
    let words = command.conversationWords
    if words.isEmpty { return "" }
    return """
            case $previous in
              \(words.joined(separator: "|"))) words=$(_pipit_conversations) ;;
            esac

      """
  }

  private static var valueCases: String {
    Flag.all.compactMap { flag in
      guard let completion = flag.completion else { return nil }
      let candidates: String? =
        switch completion {
        case .words(let words): "'" + words.joined(separator: " ") + "'"
        case .model: "\"$(pipit models list --installed --quiet 2>/dev/null | awk '{print $1}')\""
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
