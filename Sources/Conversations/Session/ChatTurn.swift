package import Inference

/// A turn that has ended, in whatever way.
package struct ChatTurn: Sendable, Hashable {
  package var reply: ChatMessage
  package var statistics: Statistics
  /// What the reply was made with.
  package var parameters: GenerationParameters

  /// Whether all that was generated is thought and none of it an answer.
  package var isOnlyReasoning: Bool {
    reply.content.isEmpty && !(reply.reasoning ?? "").isEmpty
  }
}

/// What a session cannot do as things are.
package enum ChatSessionError: Error, Equatable, CustomStringConvertible {
  /// There is no message to answer again.
  case nothingToRegenerate
  /// The engine's stream ended without saying how.
  case endedEarly

  package var description: String {
    switch self {
    case .nothingToRegenerate: "There is no reply to make again yet."
    case .endedEarly: "The engine stopped without a reason."
    }
  }
}
