import Conversations
import ModelLibrary

extension Command {
  static let history = Command(
    name: "history",
    summary: "list, search, show and export the conversations that are kept",
    usage: [
      "history [list] [--limit N] [--trash] [--json]", "history search WORDS… [--json]",
      "history show [ID] [--json]", "history export ID [md|json|txt]", "history rename ID TITLE…",
      "history pin ID…", "history unpin ID…", "history delete ID…", "history restore ID…",
      "history undo", "history purge ID…", "history purge --trash",
    ],
    discussion: [
      """
      The beginning of an ID will do; 'show' alone shows the last conversation. 'search' finds conversations in which all words occur, in \
      any branch and whatever their case; words between quotation marks are a phrase.
      """,
      """
      'delete' moves to the trash, 'undo' takes the last one out again and 'restore' any. 'purge' \
      removes for good, with what models have read of the conversation.
      """,
      """
      A file that is damaged is kept under another name, and said so. 'chat --conversation ID' \
      goes on with a conversation.
      """,
    ],
    examples: [
      "pipit history search \"river delta\"", "pipit history export 1c0ffee2 md > rivers.md",
      "pipit history --json | jq -r '.[0].id'",
    ],
    flags: Flag.named("--limit", "--trash", "--json") + Flag.everywhere,
    words: HistoryAction.allCases.map(\.rawValue),
    following: Dictionary(
      uniqueKeysWithValues: HistoryAction.allCases.filter(\.takesConversation).map {
        ($0.rawValue, .conversation)
      }),
    run: { invocation in
      let word = invocation.arguments.first?.text ?? HistoryAction.list.rawValue
      guard let action = HistoryAction(rawValue: word) else {
        throw ArgumentError.unknownSubcommand(
          command: "history", word,
          nearest: nearestName(to: word, in: HistoryAction.allCases.map(\.rawValue)))
      }
      return try await History(invocation: invocation).callAsFunction(action)
    })
}

/// What can be done with the conversations that are kept.
enum HistoryAction: String, CaseIterable, Sendable {
  case list, search, show, export, rename, pin, unpin, delete, restore, undo, purge

  /// Whether an identifier follows it.
  var takesConversation: Bool {
    switch self {
    case .list, .search, .undo: false
    case .show, .export, .rename, .pin, .unpin, .delete, .restore, .purge: true
    }
  }
}
