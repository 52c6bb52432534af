package import Inference

/// A turn that has ended, in whatever way.
package struct ChatTurn: Sendable {
  /// The whole reply, also if a part of it is of an earlier turn.
  package var reply: ChatMessage
  /// The figures of this turn.
  package var statistics: Statistics
  /// What the reply was made with.
  package var parameters: GenerationParameters
  /// What the model did not get to see; nil when it saw the whole conversation.
  package var dropped: DroppedMessages?
  /// The message without a reply that this turn took the place of.
  package var setAside: SetAsideMessage?
  /// Why the conversation could not be saved; nil if it was, or was not to be.
  package var saveFailure: (any Error)?

  /// Whether all that was generated is thought and none of it an answer.
  package var isOnlyReasoning: Bool {
    reply.content.isEmpty && !(reply.reasoning ?? "").isEmpty
  }
}

/// A message of the user that is no longer on the active branch, though nobody asked for that.
package struct SetAsideMessage: Sendable, Hashable {
  package var tokens: Int
  /// Whether it has replies after all, of which none was on the active branch.
  package var hasReplies: Bool
  /// Its place among the branches, from 1.
  package var branch: Int
}
