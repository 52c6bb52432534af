// Templates differ in what they take: some raise an exception for a system message in the middle,
// or for one at all, some want user and assistant strictly in turn. A conversation is rendered as
// it is; only when the template refuses it are these tried, the mildest first.

/// What is done to the roles of a conversation that a template refuses.
package enum RoleNormalisation: Int, Sendable, Hashable, CaseIterable {
  case none
  /// All system messages become one at the beginning.
  case systemFirst
  /// Messages of one role in a row become one, too.
  case alternating
  /// The system message becomes the beginning of the first user message, too.
  case systemInUser

  func applied(to messages: [ChatMessage]) -> [ChatMessage] {
    guard self != .none else { return messages }
    var rest = messages.filter { $0.role != .system }
    let system = messages.filter { $0.role == .system }.map(\.content)
      .filter { !$0.isEmpty }.joined(separator: "\n\n")
    if self != .systemFirst { rest = Self.merged(rest) }
    guard !system.isEmpty else { return rest }
    if self == .systemInUser, let first = rest.firstIndex(where: { $0.role == .user }) {
      rest[first].content = Self.joined(system, rest[first].content)
      return rest
    }
    return [ChatMessage(.system, system)] + rest
  }

  /// Messages with those of the same role in a row made one; results of tools stay apart.
  private static func merged(_ messages: [ChatMessage]) -> [ChatMessage] {
    var merged: [ChatMessage] = []
    for message in messages {
      guard var last = merged.last, last.role == message.role, message.role != .tool else {
        merged.append(message)
        continue
      }
      last.content = joined(last.content, message.content)
      last.toolCalls += message.toolCalls
      if let reasoning = message.reasoning {
        last.reasoning = joined(last.reasoning ?? "", reasoning)
      }
      merged[merged.count - 1] = last
    }
    return merged
  }

  private static func joined(_ first: String, _ second: String) -> String {
    first.isEmpty || second.isEmpty ? first + second : first + "\n\n" + second
  }
}
