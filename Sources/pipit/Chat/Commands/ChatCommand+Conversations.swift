import Conversations
import Markdown

/// Commands about which conversation it is.
extension ChatCommand {
  static let conversations: [ChatCommand] = [
    ChatCommand(name: "/new", aliases: ["/clear"], help: "begin a new conversation") { chat, _ in
      for sentence in try await chat.session.startNew() { chat.console.complain(sentence) }
      chat.attachments = []
      chat.console.note(ChatWords.cleared)
      return .next
    },
    ChatCommand(
      name: "/open", argument: "[N|ID|WORDS]", help: "go on with an earlier conversation",
      detail: """
        N is a number of the last /list or /search, ID the beginning of an identifier, and WORDS a \
        part of a title. Alone it lists the conversations.
        """
    ) { chat, argument in
      if argument.isEmpty { return try await chat.listConversations() }
      try await chat.open(try await chat.conversation(argument, form: "/open N|ID|WORDS"))
      return .next
    },
    ChatCommand(name: "/list", help: "the conversations that are kept") { chat, _ in
      try await chat.listConversations()
    },
    ChatCommand(
      name: "/search", argument: "WORDS", help: "find conversations by what was said in them"
    ) { chat, argument in
      try await chat.search(argument)
    },
    ChatCommand(
      name: "/title", argument: "[TEXT]", help: "show or change this conversation's title"
    ) { chat, argument in
      if argument.isEmpty {
        chat.console.say(await chat.session.info?.title ?? ChatWords.notKept)
        return .next
      }
      try await chat.session.setTitle(argument)
      chat.console.note(ChatWords.titled(await chat.session.info?.title ?? argument))
      return .next
    },
    ChatCommand(name: "/pin", help: "keep this conversation at the top of lists, or no more") {
      chat, _ in
      let isPinned = await !(chat.session.info?.isPinned ?? false)
      try await chat.session.setPinned(isPinned)
      chat.console.note(isPinned ? ChatWords.pinned : ChatWords.unpinned)
      return .next
    },
    ChatCommand(
      name: "/delete", argument: "[N|ID|undo]", help: "move a conversation to the trash",
      detail: """
        Alone it is this conversation. /delete undo takes out of the trash what was moved there \
        last; 'pipit history purge' removes for good.
        """,
      completion: .words(["undo"])
    ) { chat, argument in
      try await chat.delete(argument)
    },
  ]
}

extension Chat {
  func listConversations() async throws -> ChatCommand.Step {
    let list = try await store().list()
    for problem in list.problems { console.complain(problem.description) }
    if list.summaries.isEmpty {
      console.say(ChatWords.noConversations)
      return .next
    }
    listing = list.summaries.map(\.id)
    let current = await session.info?.id
    var lines: [StyledLine] = []
    var number = 0
    for group in list.grouped() {
      lines.append(StyledLine(group.heading, .bold))
      for summary in group.summaries {
        number += 1
        lines.append(row(number, summary, isCurrent: summary.id == current))
      }
    }
    console.show(lines)
    return .next
  }

  func search(_ words: String) async throws -> ChatCommand.Step {
    let hits = try await store().search(words, limit: 20)
    if hits.isEmpty {
      console.say(ChatWords.nothingFound(words))
      return .next
    }
    listing = hits.map(\.summary.id)
    let current = await session.info?.id
    var lines: [StyledLine] = []
    for (index, hit) in hits.enumerated() {
      lines.append(row(index + 1, hit.summary, isCurrent: hit.summary.id == current))
      var snippet = StyledLine("      ")
      let characters = Array(ControlFilter.filtered(hit.snippet.text))
      var place = 0
      for match in hit.snippet.matches where match.lowerBound >= place {
        let end = min(match.upperBound, characters.count)
        let start = min(match.lowerBound, end)
        snippet.append(Span(String(characters[place..<start]), .dim))
        snippet.append(Span(String(characters[start..<end]), .bold))
        place = end
      }
      snippet.append(Span(String(characters[place...]), .dim))
      lines.append(snippet)
    }
    console.show(lines)
    return .next
  }

  private func row(_ number: Int, _ summary: ConversationSummary, isCurrent: Bool) -> StyledLine {
    let digits = String(number)
    var line = StyledLine(isCurrent ? "*" : " ", .bold)
    line.append(Span(String(repeating: " ", count: max(0, 3 - digits.count)) + digits + "  "))
    var facts = "  \(summary.updated.localText) · \(ChatWords.messages(summary.messageCount))"
    if summary.branchCount > 1 { facts += " · \(summary.branchCount) branches" }
    // The title gives way: a date that is cut says nothing.
    let room = console.errorsAreTerminal ? Descriptor.errors.columns - 1 : Int.max
    let title = StyledLine(ControlFilter.filtered(summary.title))
    line.append(title.truncated(to: max(room - line.width - facts.count, 16)))
    line.append(Span(facts, .dim))
    return line
  }

  /// What a number of the last list, an identifier or a part of a title means.
  func conversation(_ text: String, form: String) async throws -> ConversationID {
    if let number = Int(text), text.count < 6 {
      if listing.isEmpty { listing = try await store().list().summaries.map(\.id) }
      guard (1...max(listing.count, 1)).contains(number), number <= listing.count else {
        throw SlashError.badArgument(
          form: form, found: text, expected: ChatWords.numberOfList(listing.count))
      }
      return listing[number - 1]
    }
    do {
      return try await store().find(text)
    } catch let error as ConversationError {
      guard case .notFound = error else { throw error }
      let wanted = text.lowercased()
      let titled = try await store().list().summaries.filter {
        $0.title.lowercased().contains(wanted)
      }
      if titled.count == 1 { return titled[0].id }
      if titled.isEmpty { throw error }
      listing = titled.map(\.id)
      console.show(titled.enumerated().map { row($0 + 1, $1, isCurrent: false) })
      throw SlashError.badArgument(
        form: form, found: text, expected: ChatWords.numberOfList(titled.count))
    }
  }

  func open(_ id: ConversationID) async throws {
    let report: OpenReport
    do {
      report = try await session.open(id)
    } catch let error as ConversationError {
      switch error {
      case .inUse, .newerVersion:
        // A copy can be gone on with, and the original is left to whoever has it.
        report = try await session.fork(of: id)
        console.note(HistoryWords.copied(error, as: report.summary.id))
      default: throw error
      }
    }
    attachments = []
    for problem in report.problems { console.complain(problem.description) }
    await recall()
    if let wanted = report.wantedModel { console.note(ChatWords.otherModel(wanted)) }
    if report.endsInterrupted { console.note(ChatWords.canContinue) }
    if let note = report.sessionNote { console.note(note) }
  }

  func delete(_ argument: String) async throws -> ChatCommand.Step {
    if argument == "undo" {
      guard let summary = try await store().undoDelete() else {
        console.say(HistoryWords.emptyTrash)
        return .next
      }
      console.note(HistoryWords.restored(summary))
      return .next
    }
    let current = await session.info
    let id =
      argument.isEmpty
      ? nil : try await conversation(argument, form: "/delete [N|ID|undo]")
    if let id, id != current?.id {
      try await store().delete(id)
    } else {
      guard current?.isSaved == true else {
        console.say(ChatWords.nothingToDelete)
        return .next
      }
      try await session.deleteConversation()
    }
    console.note(ChatWords.deleted)
    return .next
  }

  private func store() throws -> ConversationStore {
    guard let store = session.storage else { throw ChatSessionError.noStore }
    return store
  }
}
