/// What a session cannot do as things are.
package enum ChatSessionError: Error, Equatable {
  /// There is no message to answer again.
  case nothingToRegenerate
  /// The last reply has come to its end, or there is none.
  case nothingToContinue
  /// The tokens of the last reply lead nowhere any more, for a reason to follow "because".
  case cannotContinue(reason: String)
  /// There is no message of the user with that identifier, or none at all.
  case nothingToEdit
  /// There is no message with that identifier.
  case noSuchMessage(Int)
  /// Conversations are not kept here.
  case noStore
  /// The engine's stream ended without saying how.
  case endedEarly
}

extension ChatSessionError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .nothingToRegenerate: "There is no reply to make again yet."
    case .nothingToContinue: "There is no reply that was cut short."
    case .cannotContinue(let reason):
      "The reply cannot be continued because \(reason); it can be made again."
    case .nothingToEdit: "There is no such message of yours."
    case .noSuchMessage(let id): "There is no message \(id)."
    case .noStore: "Conversations are not kept here."
    case .endedEarly: "The engine stopped without a reason."
    }
  }
}
