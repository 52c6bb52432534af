import Conversations
import Inference
import Markdown
import ModelLibrary

/// Commands that tell something, and the way out.
extension ChatCommand {
  static let information: [ChatCommand] = [
    ChatCommand(name: "/stats", help: "figures of the last reply") { chat, _ in
      await chat.showStatistics()
      return .next
    },
    ChatCommand(name: "/context", help: "how full the context is") { chat, _ in
      await chat.showContext()
      return .next
    },
    ChatCommand(
      name: "/help", aliases: ["/?"], argument: "[COMMAND]",
      help: "this list, or more about one command",
      completion: .commands
    ) { chat, argument in
      try chat.help(argument)
      return .next
    },
    ChatCommand(name: "/exit", aliases: ["/quit", "/bye"], help: "leave, as Ctrl-D does") { _, _ in
      .leave(.done)
    },
  ]
}

extension Chat {
  func showStatistics() async {
    guard let turn = await session.lastTurn else {
      console.say(ChatWords.noStatistics)
      return
    }
    let statistics = turn.statistics
    let used = statistics.promptTokens + statistics.generatedTokens
    let lines =
      statistics.lines + [ChatWords.context(used: used, of: session.engine.contextLength)]
    // What follows the name of a figure stays below itself.
    let width = max(console.textWidth - Statistics.nameColumns, 16)
    let indent = String(repeating: " ", count: Statistics.nameColumns)
    console.show(
      lines.flatMap { line in
        let rows = LineBreaker.rows(
          StyledLine(String(line.dropFirst(Statistics.nameColumns))), width: width)
        return rows.enumerated().map { index, row in
          StyledLine((index == 0 ? String(line.prefix(Statistics.nameColumns)) : indent) + row.text)
        }
      })
  }

  /// Tokens of the conversation so far, as far as they are known.
  var usedTokens: Int {
    get async {
      let tree = await session.tree
      return tree.history(to: tree.leafID)?.tokens.count ?? 0
    }
  }

  func showContext() async {
    let used = await usedTokens
    let total = max(session.engine.contextLength, 1)
    let share = min(Double(used) / Double(total), 1)
    let cells = 40
    let filled = Int((share * Double(cells)).rounded(.up))
    let style: TextStyle = share >= 0.9 ? .alarm : share >= 0.75 ? .caution : []
    var bar = StyledLine(String(repeating: "█", count: filled), style)
    bar.append(Span(String(repeating: "░", count: cells - filled), .dim))
    let path = await session.tree.path
    let ending = path.last?.stopReason == .context ? [StyledLine(ChatWords.lastReplyIsCut)] : []
    let attached = attachments.map { StyledLine("attached     \($0.name)") }
    console.show(
      [
        bar,
        StyledLine(ChatWords.context(used: used, of: total)),
        StyledLine(ChatWords.left(max(0, total - used))),
        StyledLine("messages     \(path.count)"),
      ] + ending + attached)
  }

  func help(_ argument: String) throws {
    let width = console.textWidth
    if argument.isEmpty {
      return console.show(ChatWords.help(session.engine.loaded, width: width))
    }
    let word = argument.hasPrefix("/") ? argument : "/" + argument
    guard let command = ChatCommand.named(word) else {
      throw SlashError.unknown(
        word, nearest: nearestName(to: word, in: ChatCommand.all.map(\.name)))
    }
    var lines = [StyledLine(command.form, .bold), StyledLine(command.help)]
    if let detail = command.detail { lines.append(StyledLine(detail)) }
    if !command.aliases.isEmpty {
      lines.append(StyledLine("also \(command.aliases.joined(separator: ", "))", .dim))
    }
    console.show(lines.flatMap { LineBreaker.rows($0, width: min(width, 80)) })
  }
}
