import ModelLibrary

/// Which command a command line is for.
///
/// A first word that names a command is that command. Otherwise the words are a prompt for `run`,
/// unless they look like a mistyped command: a single word, or a first word that nearly names one.
/// No words at all are `chat` on a terminal, and `run` when standard input brings the prompt.
func resolve(
  _ line: ParsedLine, isTerminal: Bool
) throws(ArgumentError) -> (command: Command, arguments: [ParsedLine.Positional]) {
  guard let first = line.positionals.first else {
    return (isTerminal ? .chat : .run, [])
  }
  if first.isLiteral || first.text == "-" { return (.run, line.positionals) }
  if let command = Command.named(first.text) {
    return (command, Array(line.positionals.dropFirst()))
  }
  if first.text.contains(where: \.isWhitespace) { return (.run, line.positionals) }
  let nearest = nearestName(to: first.text, in: Command.all.map(\.name))
  if line.positionals.count == 1 || nearest != nil {
    throw .unknownCommand(first.text, nearest: nearest)
  }
  return (.run, line.positionals)
}
