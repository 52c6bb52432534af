import ModelLibrary

/// Which command a command line is for.
///
/// A first word that names a command is that command. Otherwise the words are a prompt for `run`,
/// unless they look like a mistyped command: a single word, or a first word that a slip of the
/// fingers makes of one. Many a prompt begins with a word that is merely near ('what', 'tell').
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
  let names = Command.all.map(\.name)
  let isSingle = line.positionals.count == 1
  let nearest =
    isSingle
    ? nearestName(to: first.text, in: names)
    : names.first { $0.count >= 5 && isSlip(first.text, of: $0) }
  if isSingle || nearest != nil {
    throw .unknownCommand(
      first.text, nearest: nearest,
      prompt: line.positionals.map(\.text).joined(separator: " "))
  }
  return (.run, line.positionals)
}

/// Whether a word is a name that lacks one letter, or has two neighbours swapped.
private func isSlip(_ word: String, of name: String) -> Bool {
  let (word, name) = (Array(word), Array(name))
  let start = zip(word, name).prefix { $0 == $1 }.count
  if word.count == name.count {
    guard start + 1 < name.count else { return false }
    var swapped = word
    swapped.swapAt(start, start + 1)
    return swapped == name
  }
  return word.count + 1 == name.count && word[start...] == name[(start + 1)...]
}

extension Command {
  /// The command that arguments are most likely for which cannot be taken apart: the first word,
  /// those aside that may be a flag's value.
  static func likely(_ arguments: [String]) -> Command {
    var mayBeValue = false
    for argument in arguments {
      if argument.hasPrefix("-") {
        mayBeValue = true
      } else if let command = named(argument) {
        return command
      } else if mayBeValue {
        mayBeValue = false
      } else {
        break
      }
    }
    return .run
  }
}
