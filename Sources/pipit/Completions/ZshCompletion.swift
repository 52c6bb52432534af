/// The completion script for zsh.
enum ZshCompletion {
  static var script: String {
    """
    #compdef pipit
    # zsh completion for pipit, made by 'pipit completions zsh'.
    _pipit_models() {
      local -a models
      models=(${(f)"$(\(Shell.models))"})
      _alternative 'models:model:compadd -a models' 'files:file:_files'
    }
    _pipit_menu() {
      local -a models
      models=(${(f)"$(\(Shell.menu))"})
      compadd -a models
    }
    _pipit_conversations() {
      local -a conversations
      conversations=(${(f)"$(\(Shell.conversations(printing: #"id ":" $0"#)))"})
      _describe -V conversation conversations
    }
    _pipit() {
      local command= first= word value=
      local -a commands rest
      commands=(
    \(Command.all.map { "    \(quoted("\($0.name):\($0.summary)"))" }.joined(separator: "\n"))
      )
      # The command and its first argument, among flags and their values.
      for word in "${(@)words[2,CURRENT-1]}"; do
        if [[ -n $value ]]; then
          value=
          continue
        fi
        case $word in
          (\(Shell.valueFlags)) value=1 ;;
          (-*) ;;
          (*)
            if [[ -z $command ]]; then
              command=$word
            elif [[ -z $first ]]; then
              first=$word
            fi
            ;;
        esac
      done
      case $command in
    \(Command.all.map(commandCase).joined(separator: "\n"))
        (*)
          if [[ $words[CURRENT] == -* ]]; then
            _arguments -S \\
    \(lines(Command.run.distinctFlags.flatMap(specs), indent: 10))
          elif [[ -z $command ]]; then
            _describe command commands
          fi
          ;;
      esac
    }
    _pipit "$@"

    """
  }

  private static func commandCase(_ command: Command) -> String {
    """
        (\(command.name))
          case $first in
    \(argumentCases(command))
          esac
          _arguments -S \\
    \(lines(command.distinctFlags.flatMap(specs), indent: 8)) \\
            $rest
          ;;
    """
  }

  /// What the argument is that is written now, by the first one.
  private static func argumentCases(_ command: Command) -> String {
    func action(_ operand: Operand) -> String {
      "rest=('*:\(operand.rawValue):\(operand.listing ?? "_files")')"
    }
    let words = command.argumentWords
    var cases = command.followers.map { follower in
      "(\(follower.words.joined(separator: "|"))) \(action(follower.operand)) ;;"
    }
    if !words.isEmpty {
      cases.insert("('') rest=('*:argument:(\(words.joined(separator: " ")))') ;;", at: 0)
    } else if let operand = command.operand {
      cases.insert("('') \(action(operand)) ;;", at: 0)
    }
    cases.append("(*) rest=('*:file:_files') ;;")
    return cases.map { "        \($0)" }.joined(separator: "\n")
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
