import Inference

extension SlashError {
  var sentence: String {
    switch self {
    case .unknown(let word, let nearest?):
      "There is no command \(quoted(word)); did you mean \(nearest)? A message may begin with a"
        + " space."
    case .unknown(let word, nil):
      "There is no command \(quoted(word)); /help lists them. A message may begin with a space."
    case .takesNothing(let word):
      "\(word) stands alone."
    }
  }
}

/// What a chat says of itself.
enum ChatWords {
  static let pressAgain = "Ctrl-C again, or Ctrl-D, leaves."
  static let stopped = "Stopped."
  static let cleared = "A new conversation."
  static let noStatistics = "There has been no reply yet."
  static let thinking = "The model thinks before it answers."
  static let fast = "The model answers at once."
  static let noSystem = "There is no system prompt."
  static let systemChanged = "The system prompt is changed; the conversation is read anew."
  static let contextIsFull = """
    /clear begins a new conversation; a chat started with --overflow drop-oldest lets the model \
    forget the oldest messages instead.
    """
  static let oldModelKept = "The model stays as it was."

  static func greeting(_ model: ModelDescription, context: Int) -> String {
    "\(model.name), \(Figures.tokens(context)) of context. /help lists the commands."
  }

  static func modelChanged(_ model: ModelDescription) -> String {
    "Now talking to \(model.name)."
  }

  static func context(used: Int, of total: Int) -> String {
    "context      \(Figures.grouped(used)) of \(Figures.tokens(total))"
  }

  /// The list of `/help`.
  static var help: String {
    var lines = SlashCommand.table.map { row in
      let left = row.argument.isEmpty ? row.name : row.name + " " + row.argument
      return "  " + left + String(repeating: " ", count: 18 - left.count) + row.help
    }
    lines += [
      "", "A backslash at the end of a line continues the message on the next; Alt-Enter",
      "does too, and pasted lines stay together. Ctrl-R searches what was typed before.",
      "Ctrl-C stops a reply and keeps what was said.",
    ]
    return lines.joined(separator: "\n")
  }
}
