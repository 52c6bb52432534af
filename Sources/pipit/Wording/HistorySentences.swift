import Conversations

/// What is said about conversations that are kept.
enum HistoryWords {
  static let empty = "There is no conversation yet."
  static let emptyTrash = "The trash is empty."
  static let nothingFound = "No conversation has that."
  static let deleted = "Moved to the trash; 'pipit history undo' takes it out again."

  static let takenBack = "All of it was taken back with /undo; this is the last branch."

  static func messages(_ count: Int) -> String {
    count == 1 ? "1 message" : "\(Figures.grouped(count)) messages"
  }

  static func restored(_ summary: ConversationSummary) -> String {
    "Taken out of the trash: \(summary.id.short) \(summary.title)"
  }

  static func purged(_ count: Int) -> String {
    count == 1 ? "1 conversation was removed." : "\(count) conversations were removed."
  }

  static func otherBranches(_ count: Int) -> String {
    let branches = count == 1 ? "1 other branch is" : "\(count) other branches are"
    return "\(branches) not shown; 'pipit history show --json' has all."
  }

  static func copied(_ error: ConversationError, as id: ConversationID) -> String {
    "\(error.description) This goes into a copy, \(id.short)."
  }

  static func modelMissing(_ name: String) -> String {
    "The conversation's model, \(name), is not installed; another one goes on with it."
  }
}
