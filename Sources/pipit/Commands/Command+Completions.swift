extension Command {
  static let completions = Command(
    name: "completions",
    summary: "print what lets a shell complete commands and options",
    usage: ["completions bash|zsh|fish"],
    discussion: [
      """
      The script goes to standard output. For zsh the folder it is put into has to be in fpath.
      """
    ],
    examples: [
      "source <(pipit completions bash)",
      "pipit completions zsh > ~/.zsh/completions/_pipit",
      "pipit completions fish > ~/.config/fish/completions/pipit.fish",
    ],
    flags: Flag.everywhere,
    words: Shell.allCases.map(\.rawValue),
    run: { invocation in
      try invocation.refuseArguments(after: 1)
      let name = try invocation.argument(0, "the name of a shell: bash, zsh or fish")
      guard let shell = Shell(rawValue: name) else {
        throw ArgumentError.badArgument(
          command: "completions", name, expected: Shell.allCases.map(\.rawValue))
      }
      try invocation.console.write(shell.script)
      return .done
    })
}
