import Conversations
import Inference
import Markdown

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
    case .needsArgument(let form):
      "Write \(form)."
    case .badArgument(let form, let found, let expected):
      "\(form) takes \(expected), not \(quoted(found))."
    }
  }
}

extension AttachError {
  var sentence: String {
    switch self {
    case .notText(let path):
      "\(path) is not a text file."
    case .tooLong(let path, let tokens, let room, let context):
      "\(path) takes \(Figures.tokens(tokens)); of the context of \(Figures.grouped(context)) there"
        + " is room for \(Figures.grouped(room)). /new begins with an empty one."
    }
  }
}

/// What a chat says of itself.
enum ChatWords {
  static let pressAgain = "Ctrl-C again, or Ctrl-D, leaves."
  static let stopped = "Stopped before the reply began; /continue has it made."
  static let cleared = "A new conversation."
  static let noStatistics = "There has been no reply yet."
  static let thinking = "The model thinks before it answers."
  static let fast = "The model answers at once."
  static let noSystem = "There is no system prompt."
  static let systemChanged = "The system prompt is changed; the conversation is read anew."
  static let contextIsFull = """
    /new begins a new conversation; a chat started with --overflow drop-oldest lets the model \
    forget the oldest messages instead.
    """
  static let oldModelKept = "The model stays as it was."

  static func greeting(_ model: ModelDescription, context: Int, namesHelp: Bool) -> String {
    "\(model.name), \(Figures.tokens(context)) of context."
      + (namesHelp ? " /help lists the commands." : "")
  }

  static func modelChanged(_ model: ModelDescription) -> String {
    "Now talking to \(model.name)."
  }

  static func context(used: Int, of total: Int) -> String {
    "context      \(Figures.grouped(used)) of \(Figures.tokens(total))"
  }

  static let lastReplyIsCut = "last reply   cut, because the context was full"

  static let stoppedReply = "Stopped; /continue goes on."
  /// How to go on with a conversation that others have; nil where there is no way.
  static func copyHint(_ error: ConversationError) -> String? {
    switch error {
    case .inUse(let id), .newerVersion(let id, _):
      "'/open \(id.short)' in a chat goes on in a copy; 'pipit history show \(id.short)' reads it."
    default: nil
    }
  }

  static func kept(_ id: ConversationID) -> String {
    "Kept as \(id.short); --conversation \(id.short) goes on with it."
  }

  static let notKept = "This conversation is not kept."
  static let noConversations = "There is no conversation yet; the first message begins one."
  static let pinned = "It stays at the top of lists."
  static let unpinned = "It is listed by its date again."
  static let deleted = "Moved to the trash; /delete undo takes it out again."
  static let nothingToDelete = "There is nothing to delete: nothing has been said yet."
  static let nothingToUndo = "There is no message to take back."
  static let undone = "Your last message is taken back; Enter sends the line, Ctrl-C empties it."
  static let editing = "Change the message and send it; Ctrl-C leaves it as it is."
  static let nothingSaid = "Nothing has been said yet."
  static let goToBranch = "/branch N goes to one."
  static let canContinue = "The last reply was cut short; /continue goes on."
  static let noCode = "The last reply has no block of code."
  static let noClipboard = """
    There is no way to the clipboard: neither wl-copy nor xclip is there, and the terminal takes no \
    text of this length.
    """

  static let firstRun = """
    Write a message and press Enter. The model runs here; nothing leaves it.
    Ctrl-C stops a reply, Ctrl-D leaves. What is said is kept; /list shows it.
    /help lists the commands. A line ending in \\ goes on; Ctrl-G opens $EDITOR.
    """

  static func messages(_ count: Int) -> String {
    count == 1 ? "1 message" : "\(Figures.grouped(count)) messages"
  }

  static func more(_ count: Int) -> String {
    "… and \(Figures.grouped(count)) more; /list all shows them, /search finds them."
  }

  static func earlier(_ count: Int) -> String {
    "… \(messages(count)) before"
  }

  static func nothingFound(_ words: String) -> String {
    "No conversation has \(quoted(words))."
  }

  static func titled(_ title: String) -> String {
    "The title is now \(quoted(title))."
  }

  static func numberOfList(_ count: Int, _ command: String) -> String {
    count == 0
      ? "a number of /list, which is empty"
      : "a number from 1 to \(count), as \(command) gives them"
  }

  static func otherModel(_ name: String) -> String {
    "It was going on with \(name); '/model \(name)' changes to that."
  }

  static func forked(_ info: ConversationInfo?) -> String {
    guard let info else { return "This is a copy now." }
    return "This is a copy now, \(info.id.short); the original stays as it was."
  }

  static func exported(_ path: String) -> String {
    "Written to \(path)."
  }

  static func copied(_ count: Int, _ way: Clipboard.Way) -> String {
    let characters = count == 1 ? "1 character" : "\(Figures.grouped(count)) characters"
    return switch way {
    case .program(let name): "Copied \(characters) with \(name)."
    case .terminal: "Sent \(characters) to the terminal's clipboard."
    }
  }

  static func attached(_ name: String, _ tokens: Int) -> String {
    "\(name), \(Figures.tokens(tokens)), goes with the next message."
  }

  static func detached(_ names: [String]) -> String {
    names.isEmpty
      ? "Nothing is attached." : "\(names.joined(separator: ", ")) does not go with the message."
  }

  static func thoughts(_ display: ThinkingDisplay) -> String {
    switch display {
    case .fold: "Thoughts are shown while they stream."
    case .show: "Thoughts stay on the screen."
    case .hide: "Thoughts are not shown."
    }
  }

  static func unknownDisplay(_ word: String, config path: String) -> String {
    let words = ThinkingDisplay.allCases.map(\.rawValue).joined(separator: ", ")
    return "\(path) has \(quoted(word)) for \"thoughts\", which is none of \(words)."
  }

  static func parameter(_ name: String, _ value: String?) -> String {
    value.map { "\(name) is \($0)." } ?? "\(name) is the model's own."
  }

  static func left(_ tokens: Int) -> String {
    "left         \(Figures.tokens(tokens))"
  }

  /// The list of `/help`; what the model cannot do is left out.
  static func help(_ model: ModelDescription?, width: Int) -> [StyledLine] {
    var lines: [StyledLine] = []
    for command in ChatCommand.all
    where !command.isAboutThinking || model?.thinking != ThinkingKind.none {
      lines += row(command, width: width)
    }
    return lines + [StyledLine()] + LineBreaker.rows(StyledLine(keys), width: min(width, 96))
  }

  /// Columns of the names in `/help`, and the fewest that are worth having beside them.
  private static let nameColumns = 35
  private static let helpColumns = 24

  /// A command beside what it does, or above it where the window is narrow.
  private static func row(_ command: ChatCommand, width: Int) -> [StyledLine] {
    var name = StyledLine("  " + command.name, .bold)
    name.append(Span(String(command.form.dropFirst(command.name.count))))
    let isBeside = width >= nameColumns + helpColumns
    let indent = isBeside ? nameColumns : 4
    let help = LineBreaker.rows(StyledLine(command.help), width: max(width - indent, 8))
    var rows = isBeside ? [] : LineBreaker.rows(name, width: width)
    for (index, text) in help.enumerated() {
      var line = isBeside && index == 0 ? name : StyledLine()
      line.append(Span(String(repeating: " ", count: max(1, indent - line.width))))
      line.append(text)
      rows.append(line)
    }
    return rows
  }

  private static let keys = """
    /help COMMAND tells more. Tab completes commands, files, models and conversations; Ctrl-R \
    searches what was typed before; Ctrl-G opens $EDITOR. A backslash at the end of a line \
    continues the message on the next, Alt-Enter does too, and pasted lines stay together. Ctrl-C \
    stops a reply and keeps what was said. A message that begins with a slash may begin with a \
    space.
    """
}
