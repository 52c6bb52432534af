import Conversations
import Inference
import Markdown

/// Commands about what was said: taking back, saying anew, other branches.
extension ChatCommand {
  static let turns: [ChatCommand] = [
    ChatCommand(
      name: "/undo", help: "go back to before your last message",
      detail: "The message stays as a branch, and its text comes back into the line."
    ) { chat, _ in
      guard let text = try await chat.session.undo() else {
        chat.console.say(ChatWords.nothingToUndo)
        return .next
      }
      chat.input.prepare(text)
      chat.console.note(ChatWords.undone)
      return .next
    },
    ChatCommand(
      name: "/edit", argument: "[TEXT]", help: "say your last message differently",
      detail: """
        Alone it brings the message back into the line, to be changed and sent. What was said before \
        stays as a branch. To change an earlier message, go back with /undo first.
        """
    ) { chat, argument in
      try await chat.edit(argument)
    },
    ChatCommand(name: "/regen", help: "answer the last message again") { chat, _ in
      try await chat.reply { listener in
        try await chat.session.regenerate(onEvent: listener)
      }
      return .next
    },
    ChatCommand(name: "/continue", help: "go on with a reply that was cut short") { chat, _ in
      try await chat.reply { listener in
        // A message whose reply was stopped before it began has nothing to go on with yet.
        if await chat.session.tree.leaf?.message.role == .user {
          return try await chat.session.regenerate(onEvent: listener)
        }
        return try await chat.session.continueReply(onEvent: listener)
      }
      return .next
    },
    ChatCommand(
      name: "/branch", argument: "[N]", help: "show the branches, or go to one",
      detail: "/regen, /edit and /undo leave branches; nothing that was said is lost."
    ) { chat, argument in
      try await chat.branch(argument)
    },
    ChatCommand(name: "/fork", help: "go on in a copy of this conversation") { chat, _ in
      guard await !chat.session.tree.nodes.isEmpty else {
        chat.console.say(ChatWords.nothingSaid)
        return .next
      }
      let info = try await chat.session.fork()
      chat.console.note(ChatWords.forked(info))
      return .next
    },
  ]
}

extension Chat {
  func edit(_ text: String) async throws -> ChatCommand.Step {
    let last = await session.tree.path.last { $0.message.role == .user }
    guard let last else { throw ChatSessionError.nothingToEdit }
    if !text.isEmpty {
      try await reply { [session] listener in
        try await session.edit(message: last.id, as: text, onEvent: listener)
      }
      return .next
    }
    guard isInteractive else { throw SlashError.needsArgument(form: "/edit TEXT") }
    edited = last.id
    input.prepare(last.message.content)
    console.note(ChatWords.editing)
    return .next
  }

  func branch(_ argument: String) async throws -> ChatCommand.Step {
    let tree = await session.tree
    let branches = tree.branches
    if branches.isEmpty {
      console.say(ChatWords.nothingSaid)
      return .next
    }
    if argument.isEmpty {
      console.show(branches.enumerated().map { row($0 + 1, $1, tree) })
      if branches.count > 1 { console.note(ChatWords.goToBranch) }
      return .next
    }
    guard let number = Int(argument), (1...branches.count).contains(number) else {
      throw SlashError.badArgument(
        form: "/branch [N]", found: argument,
        expected: "a number from 1 to \(branches.count)")
    }
    try await session.switchBranch(to: branches[number - 1].leafID)
    await recall()
    return .next
  }

  private func row(
    _ number: Int, _ branch: ConversationTree.Branch, _ tree: ConversationTree
  ) -> StyledLine {
    var line = StyledLine((branch.isActive ? "* " : "  ") + "\(number)  ", .bold)
    let said = tree.path(to: branch.leafID).last { $0.message.role == .user }
    let reply = tree[branch.leafID]
    let text = said?.message.content ?? ""
    let count = "  " + ChatWords.messages(branch.messageCount)
    // Both get the same of what the window has besides.
    let room = console.textWidth - line.width - count.count - " → ".count
    let columns = min(max(room / 2, 8), 40)
    line.append(Span(Self.oneLine(text, columns)))
    if let reply, reply.message.role == .assistant {
      line.append(Span(" → " + Self.oneLine(reply.message.content, columns), .dim))
    }
    line.append(Span(count, .dim))
    return line
  }

  static func oneLine(_ text: String, _ columns: Int) -> String {
    let words = ControlFilter.filtered(String(text.prefix(400))).split(
      whereSeparator: \.isWhitespace)
    return StyledLine(words.joined(separator: " ")).truncated(to: columns).text
  }

  /// Shows the last exchange, to remember where one is.
  func recall() async {
    let path = await session.tree.path
    var lines: [StyledLine] = []
    if path.count > 2, let title = await session.info?.title {
      lines.append(StyledLine(ControlFilter.filtered(title), .bold))
    }
    if path.count > 2 { lines.append(StyledLine(ChatWords.earlier(path.count - 2), .dim)) }
    for node in path.suffix(2) {
      let text = ControlFilter.filtered(node.message.content)
      if node.message.role == .user {
        lines.append(StyledLine("> " + Self.oneLine(text, 200), .dim))
      } else {
        lines += laidOut(text)
      }
    }
    // As after a reply that has just been made.
    if isInteractive { lines.append(StyledLine()) }
    console.show(lines)
  }

  private func laidOut(_ text: String) -> [StyledLine] {
    guard isInteractive, console.outputIsTerminal, !options.isRawText else {
      return text.split(separator: "\n", omittingEmptySubsequences: false).map {
        StyledLine(String($0))
      }
    }
    var markdown = MarkdownStream(hasStyles: console.errorStyle.hasColor)
    markdown.append(text)
    return markdown.finish(width: max(Descriptor.errors.columns - 1, 1))
  }
}
