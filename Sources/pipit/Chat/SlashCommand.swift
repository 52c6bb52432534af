import ModelLibrary

/// What a line that begins with a slash asks for.
enum SlashCommand: Sendable, Equatable {
  case help, exit, clear, regenerate, statistics, think, fast
  /// Shows the system prompt.
  case showSystem
  /// Sets it, or with nil takes it away.
  case setSystem(String?)
  /// Shows the models.
  case showModels
  case loadModel(String)
}

/// Why such a line was refused.
enum SlashError: Error, Equatable {
  case unknown(String, nearest: String?)
  case takesNothing(String)
}

extension SlashCommand {
  /// Name, argument and meaning of each, in the order of `/help`.
  static let table: [(name: String, argument: String, help: String)] = [
    ("/help", "", "this list"),
    ("/regen", "", "answer the last message again"),
    ("/clear", "", "forget the conversation and start anew"),
    ("/system", "[TEXT]", "show or set the system prompt; - takes it away"),
    ("/think", "", "let the model think before it answers"),
    ("/fast", "", "let it answer at once"),
    ("/stats", "", "figures of the last reply"),
    ("/model", "[NAME]", "show the models, or change to one"),
    ("/exit", "", "leave, as Ctrl-D does"),
  ]

  /// The command in a line; nil when the line is a message.
  ///
  /// Only a letter makes a slash a command.
  init?(_ line: String) throws(SlashError) {
    guard line.first == "/", line.dropFirst().first?.isLetter == true else { return nil }
    let word = line.prefix { !$0.isWhitespace }
    let argument = line.dropFirst(word.count).trimmed
    switch word {
    case "/help": self = .help
    case "/exit", "/quit": self = .exit
    case "/clear": self = .clear
    case "/regen": self = .regenerate
    case "/stats": self = .statistics
    case "/think": self = .think
    case "/fast": self = .fast
    case "/system":
      self = argument.isEmpty ? .showSystem : .setSystem(argument == "-" ? nil : argument)
      return
    case "/model":
      self = argument.isEmpty ? .showModels : .loadModel(argument)
      return
    default:
      throw .unknown(
        String(word), nearest: nearestName(to: String(word), in: Self.table.map(\.name)))
    }
    if !argument.isEmpty { throw .takesNothing(String(word)) }
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
}
