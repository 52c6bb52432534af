import Inference
package import Tokenizers

extension ConversationTree {
  /// The tokens of a branch, and what they hold only with.
  package struct History: Sendable, Hashable {
    package var tokens: [TokenID]
    package var rendering: Rendering
    /// The models that took part since `rendering`.
    package var models: [ModelStamp]
  }

  /// All tokens of the branch that ends with `id`; nil when they are not all known.
  package func history(to id: Int?) -> History? {
    var history: History?
    for node in path(to: id) where node.message.role == .assistant {
      guard let turn = node.tokens, let model = node.model else {
        history = nil
        continue
      }
      if let rendering = turn.whole {
        history = History(tokens: [], rendering: rendering, models: [])
      }
      history?.tokens += turn.prompt
      history?.tokens += turn.reply
      if history?.models.last != model { history?.models.append(model) }
    }
    return history
  }

  /// All tokens of the branch that ends with `id`; empty when they are not all known.
  package func tokens(to id: Int?) -> [TokenID] { history(to: id)?.tokens ?? [] }
}
