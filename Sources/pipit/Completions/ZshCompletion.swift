/// The completion script for zsh.
enum ZshCompletion {
  static var script: String {
    """
    #compdef pipit
    # zsh completion for pipit, made by 'pipit completions zsh'.
    _pipit_models() {
      local -a models
      models=(${(f)"$(pipit models list --installed --quiet 2>/dev/null | awk '{print $1}')"})
      _alternative 'models:model:compadd -a models' 'files:file:_files'
    }
    _pipit_conversations() {
      local -a conversations
      conversations=(${(f)"$(\(Shell.conversations(printing: #"id ":" $0"#)))"})
      _describe -V conversation conversations
    }
    _pipit() {
      local command= word
      local -a commands
      commands=(
    \(Command.all.map { "    \(quoted("\($0.name):\($0.summary)"))" }.joined(separator: "\n"))
      )
      for word in "${(@)words[2,CURRENT-1]}"; do
        case $word in
          (\(Command.all.map(\.name).joined(separator: "|")))
            command=$word
            break
            ;;
        esac
      done
      case $command in
    \(Command.all.map(commandCase).joined(separator: "\n"))
        (*)
          if [[ $words[CURRENT] == -* ]]; then
            _arguments -S \\
    \(lines(Command.run.distinctFlags.flatMap(specs), indent: 10))
          else
            _describe command commands
          fi
          ;;
      esac
    }
    _pipit "$@"

    """
  }

  private static func commandCase(_ command: Command) -> String {
    let words = command.argumentWords.joined(separator: " ")
    var arguments = [words.isEmpty ? "*:file:_files" : "*:argument:(\(words))"]
    if !command.conversationWords.isEmpty {
      // The first argument that zsh counts is the command.
      arguments = [
        "1:command: ", "2:argument:(\(words))", "*:conversation:_pipit_conversations",
      ]
    }
    return """
          (\(command.name))
            _arguments -S \\
      \(lines(command.distinctFlags.flatMap(specs) + arguments, indent: 8))
            ;;
      """
  }

  private static func lines(_ specs: [String], indent: Int) -> String {
    let space = String(repeating: " ", count: indent)
    return specs.map { space + quoted($0) }.joined(separator: " \\\n")
  }

  /// One for each name.
  private static func specs(_ flag: Flag) -> [String] {
    let help = flag.help.replacing("[", with: "\\[").replacing("]", with: "\\]")
    return flag.names.map { name in
      guard let completion = flag.completion else {
        let others = flag.names + [flag.excludes].compactMap { $0 }
        return "(\(others.joined(separator: " ")))\(name)[\(help)]"
      }
      let action =
        switch completion {
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .model: "_pipit_models"
        case .conversation: "_pipit_conversations"
        case .file: "_files"
        case .nothing: " "
        }
      let suffix = name.hasPrefix("--") ? "=" : "+"
      return "*\(name)\(suffix)[\(help)]:\(flag.placeholder ?? "value"):\(action)"
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }
}
