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
        """,
      completion: .conversations([])
    ) { chat, argument in
      if argument.isEmpty { return try await chat.listConversations() }
      try await chat.open(try await chat.conversation(argument, form: "/open N|ID|WORDS"))
      return .next
    },
    ChatCommand(
      name: "/list", argument: "[all]",
      help: "the conversations that are kept, the last ones first",
      completion: .words(["all"])
    ) { chat, argument in
      guard ["", "all"].contains(argument) else {
        throw SlashError.badArgument(
          form: "/list [all]", found: argument, expected: "all or nothing")
      }
      return try await chat.listConversations(argument)
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
      completion: .conversations(["undo"])
    ) { chat, argument in
      try await chat.delete(argument)
    },
  ]
}

extension Chat {
  /// Conversations that are shown unless all are asked for.
  private static let listLength = 40

  func listConversations(_ argument: String = "") async throws -> ChatCommand.Step {
    let list = try await store().list()
    for problem in list.problems { console.complain(problem.description) }
    if list.summaries.isEmpty {
      console.say(ChatWords.noConversations)
      return .next
    }
    listing = list.summaries.map(\.id)
    listingCommand = "/list"
    var shown = list
    if argument != "all" { shown.summaries = Array(list.summaries.prefix(Self.listLength)) }
    let current = await session.info?.id
    let columns = titleColumns(shown.summaries)
    var lines: [StyledLine] = []
    var number = 0
    for group in shown.grouped() {
      lines.append(StyledLine(group.heading, .bold))
      for summary in group.summaries {
        number += 1
        lines.append(row(number, summary, columns, isCurrent: summary.id == current))
      }
    }
    console.show(lines)
    let rest = list.summaries.count - number
    if rest > 0 { console.note(ChatWords.more(rest)) }
    return .next
  }

  func search(_ words: String) async throws -> ChatCommand.Step {
    let hits = try await store().search(words, limit: 20)
    if hits.isEmpty {
      console.say(ChatWords.nothingFound(words))
      return .next
    }
    listing = hits.map(\.summary.id)
    listingCommand = "/search"
    let current = await session.info?.id
    let columns = titleColumns(hits.map(\.summary))
    var lines: [StyledLine] = []
    for (index, hit) in hits.enumerated() {
      lines.append(row(index + 1, hit.summary, columns, isCurrent: hit.summary.id == current))
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

  /// The columns of the widest title.
  private func titleColumns(_ summaries: [ConversationSummary]) -> Int {
    summaries.reduce(0) { max($0, StyledLine(ControlFilter.filtered($1.title)).width) }
  }

  private func row(
    _ number: Int, _ summary: ConversationSummary, _ titleColumns: Int, isCurrent: Bool
  ) -> StyledLine {
    let digits = String(number)
    var line = StyledLine(isCurrent ? "*" : " ", .bold)
    line.append(Span(String(repeating: " ", count: max(0, 3 - digits.count)) + digits + "  "))
    var facts = [summary.updated.localText, ChatWords.messages(summary.messageCount)]
    if summary.branchCount > 1 { facts.append("\(summary.branchCount) branches") }
    // What is cut says nothing: in a narrow window the title gives way, and then whole facts.
    let room = (console.errorsAreTerminal ? console.textWidth : 1 << 16) - line.width
    func width() -> Int { facts.reduce(0) { $0 + $1.count + 3 } }
    while !facts.isEmpty, room - width() < 16 { facts.removeLast() }
    let columns = min(titleColumns, room - width())
    let title = StyledLine(ControlFilter.filtered(summary.title)).truncated(to: columns)
    line.append(title)
    if !facts.isEmpty {
      line.append(Span(String(repeating: " ", count: max(0, columns - title.width) + 2)))
      line.append(Span(facts.joined(separator: " · "), .dim))
    }
    return line
  }

  /// What a number of the last list, an identifier or a part of a title means.
  func conversation(_ text: String, form: String) async throws -> ConversationID {
    if let number = Int(text), text.count < 6 {
      if listing.isEmpty {
        listing = try await store().list().summaries.map(\.id)
        listingCommand = "/list"
      }
      guard (1...max(listing.count, 1)).contains(number), number <= listing.count else {
        throw SlashError.badArgument(
          form: form, found: text,
          expected: ChatWords.numberOfList(listing.count, listingCommand))
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
      let same = titled.filter { $0.title.lowercased() == wanted }
      if same.count == 1 { return same[0].id }
      if titled.count == 1 { return titled[0].id }
      if titled.isEmpty { throw error }
      listing = titled.map(\.id)
      listingCommand = "/open \(text)"
      let columns = titleColumns(titled)
      console.show(titled.enumerated().map { row($0 + 1, $1, columns, isCurrent: false) })
      throw SlashError.badArgument(
        form: form, found: text, expected: ChatWords.numberOfList(titled.count, listingCommand))
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
