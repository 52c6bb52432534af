import ModelLibrary

extension Command {
  static let help = Command(
    name: "help",
    summary: "tell about Pipit or one of its commands",
    usage: ["help [COMMAND]"],
    discussion: [],
    flags: Flag.everywhere,
    run: { invocation in
      try invocation.refuseArguments(after: 1)
      guard let name = invocation.arguments.first?.text else {
        try invocation.console.write(HelpText.overview())
        return .done
      }
      guard let command = Command.named(name) else {
        throw ArgumentError.unknownCommand(
          name, nearest: nearestName(to: name, in: Command.all.map(\.name)), prompt: nil)
      }
      try invocation.console.write(HelpText.page(command))
      return .done
    })

  static let version = Command(
    name: "version",
    summary: "print the version",
    usage: ["version"],
    discussion: [],
    flags: Flag.everywhere,
    run: { invocation in
      try invocation.refuseArguments(after: 0)
      try invocation.console.write(Version.line)
      return .done
    })
}
