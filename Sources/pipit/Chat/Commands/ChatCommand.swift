import ModelLibrary

/// A command of the chat: a line that begins with a slash.
struct ChatCommand: Sendable {
  /// How the chat goes on after a line.
  enum Step: Sendable {
    case next
    case leave(ExitCode)
  }

  /// What its argument is, for Tab.
  enum Completion: Sendable, Equatable {
    case nothing
    case words([String])
    case commands
    case models
    /// A conversation, or one of the words.
    case conversations([String])
    /// A file, after the words given if there are any.
    case files(after: [String])
  }

  /// With its slash.
  let name: String
  var aliases: [String] = []
  /// `TEXT` where it must be given, `[TEXT]` where it may be, empty where there is none.
  var argument = ""
  /// One line of `/help`.
  let help: String
  /// What `/help NAME` adds.
  var detail: String?
  var completion = Completion.nothing
  /// Whether it is of no use with a model that never thinks.
  var isAboutThinking = false
  /// Gets the argument without white space around it.
  let run: @Sendable (Chat, String) async throws -> Step

  /// The name with its argument.
  var form: String { argument.isEmpty ? name : name + " " + argument }
}

/// Why a command was refused.
enum SlashError: Error, Equatable {
  case unknown(String, nearest: String?)
  case takesNothing(String)
  /// The form that would be right.
  case needsArgument(form: String)
  /// `expected` says what would have been right.
  case badArgument(form: String, found: String, expected: String)
}

extension ChatCommand {
  static let all: [ChatCommand] =
    conversations + turns + exchange + modelCommands + information

  static func named(_ word: String) -> ChatCommand? {
    all.first { $0.name == word || $0.aliases.contains(word) }
  }

  /// The command in a line and its argument; nil when the line is a message.
  ///
  /// Only a letter makes a slash a command, and only a word without another slash: a message may
  /// well begin with a path.
  static func parse(_ line: String) throws(SlashError) -> (ChatCommand, argument: String)? {
    let word = String(line.prefix { !$0.isWhitespace })
    let known = named(word)
    guard line.first == "/", known != nil || line.dropFirst().first?.isLetter == true else {
      return nil
    }
    if word.dropFirst().contains("/") { return nil }
    guard let command = known else {
      throw .unknown(
        word, nearest: nearestName(to: word, in: all.flatMap { [$0.name] + $0.aliases }))
    }
    let argument = line.dropFirst(word.count).trimmed
    if argument.isEmpty, !command.argument.isEmpty, !command.argument.hasPrefix("[") {
      throw .needsArgument(form: command.form)
    }
    if !argument.isEmpty, command.argument.isEmpty { throw .takesNothing(command.name) }
    return (command, argument)
  }
}

extension StringProtocol {
  /// Without white space at both ends.
  var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  /// The first word and what follows it.
  var firstWord: (word: String, rest: String) {
    let word = prefix { !$0.isWhitespace }
    return (String(word), dropFirst(word.count).trimmed)
  }
}
