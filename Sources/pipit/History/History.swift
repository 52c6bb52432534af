import Conversations

/// The work of `pipit history`.
struct History {
  let invocation: Invocation
  private let store: ConversationStore

  private var console: Console { invocation.console }
  private var options: ConversationOptions { invocation.options.conversation }
  private var isJSON: Bool { invocation.options.form == .json }
  /// What follows the action's name.
  private var words: [String] { invocation.arguments.dropFirst().map(\.text) }

  init(invocation: Invocation) {
    self.invocation = invocation
    store = invocation.conversations
  }

  func callAsFunction(_ action: HistoryAction) async throws -> ExitCode {
    switch action {
    case .list: try await list()
    case .search: try await search()
    case .show: try await show()
    case .export: try await export()
    case .rename: try await rename()
    case .pin: try await forEach { id in try await store.setPinned(id, true) }
    case .unpin: try await forEach { id in try await store.setPinned(id, false) }
    case .delete: try await delete()
    case .restore: try await forEach { id in try await store.restore(id) }
    case .undo: try await undo()
    case .purge: try await purge()
    }
    return .done
  }

  // MARK: Looking

  private func list() async throws {
    try invocation.refuseArguments(after: 1)
    var list = try await store.list(includingDeleted: options.isInTrash)
    if options.isInTrash { list.summaries.removeAll { $0.deleted == nil } }
    for problem in list.problems { console.complain(problem.description) }
    if let limit = options.limit { list.summaries = Array(list.summaries.prefix(limit)) }
    if isJSON {
      try console.write(HistoryJSON.list(list.summaries) + "\n")
    } else if list.summaries.isEmpty {
      console.note(options.isInTrash ? HistoryWords.emptyTrash : HistoryWords.empty)
    } else {
      try console.writeStyled(
        HistoryText(console: console).list(list.grouped()))
    }
  }

  private func search() async throws {
    let query = words.joined(separator: " ")
    if query.allSatisfy(\.isWhitespace) {
      throw ArgumentError.missingArgument(command: "history search", placeholder: "WORDS")
    }
    let hits = try await store.search(
      query, limit: options.limit ?? 20, includingDeleted: options.isInTrash)
    if isJSON {
      try console.write(HistoryJSON.hits(hits) + "\n")
    } else if hits.isEmpty {
      console.note(HistoryWords.nothingFound)
    } else {
      try console.writeStyled(HistoryText(console: console).hits(hits))
    }
  }

  private func show() async throws {
    try invocation.refuseArguments(after: 2)
    let id: ConversationID
    if words.isEmpty {
      guard let latest = try await store.latest() else { throw ConversationError.none }
      id = latest.id
    } else {
      id = try await identifier()
    }
    let conversation = try await store.load(id)
    try console.write(conversation.exported(isJSON ? .json : .text))
    let tree = conversation.tree
    if isJSON || tree.nodes.isEmpty { return }
    if tree.leafID == nil { console.note(HistoryWords.takenBack) }
    if tree.branches.count > 1 {
      console.note(HistoryWords.otherBranches(tree.branches.count - 1))
    }
  }

  private func export() async throws {
    try invocation.refuseArguments(after: 3)
    let name = words.count > 1 ? words[1] : isJSON ? "json" : "md"
    guard let form = ExportForm(rawValue: name) else {
      throw ArgumentError.badArgument(
        command: "history export", name, expected: ExportForm.allCases.map(\.rawValue))
    }
    try console.write(try await store.load(try await identifier()).exported(form))
  }

  // MARK: Changing

  private func rename() async throws {
    let id = try await identifier()
    guard words.count > 1 else {
      throw ArgumentError.missingArgument(command: "history rename", placeholder: "TITLE")
    }
    try await store.rename(id, to: words.dropFirst().joined(separator: " "))
  }

  private func delete() async throws {
    try await forEach { id in try await store.delete(id) }
    console.note(HistoryWords.deleted)
  }

  private func undo() async throws {
    try invocation.refuseArguments(after: 1)
    if let summary = try await store.undoDelete() {
      console.note(HistoryWords.restored(summary))
    } else {
      console.note(HistoryWords.emptyTrash)
    }
  }

  private func purge() async throws {
    guard options.isInTrash else {
      return try await forEach { id in try await store.purge(id) }
    }
    try invocation.refuseArguments(after: 1)
    let trash = try await store.list(includingDeleted: true).summaries
      .filter { $0.deleted != nil }
    for summary in trash { try await store.purge(summary.id) }
    console.note(HistoryWords.purged(trash.count))
  }

  // MARK: Identifiers

  private func identifier() async throws -> ConversationID {
    try await store.find(try invocation.argument(1, "ID"))
  }

  /// Does something with each conversation named, once all of them have been found.
  private func forEach(_ action: (ConversationID) async throws -> Void) async throws {
    _ = try invocation.argument(1, "ID")
    var ids: [ConversationID] = []
    for word in words { ids.append(try await store.find(word)) }
    for id in ids { try await action(id) }
  }
}
