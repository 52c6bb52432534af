package import Inference
package import Tokenizers

extension ConversationTree {
  /// One message and its place.
  package struct Node: Sendable, Identifiable {
    /// What the message is called by others of the tree, for good.
    package let id: Int
    /// The message that this one follows; nil for the first.
    package let parentID: Int?
    package var message: ChatMessage
    /// When it was said, or begun.
    package var created: Timestamp?
    /// Of a reply: its tokens, and those that came before it.
    package var tokens: TurnTokens?
    /// Of a reply: how it went, once it has ended.
    package var statistics: Statistics?
    /// Of a reply: what it is of.
    package var model: ModelStamp?
    /// Of a reply: why it ended; nil while it is under way, and if nobody was left to note it.
    package var stopReason: StopReason?

    /// The record that the message was read from, as it was, with whatever Pipit does not know.
    var record: [UInt8]?
    /// Whether the record has been overtaken.
    var isChanged = false

    package init(
      id: Int, parentID: Int?, message: ChatMessage, created: Timestamp? = nil,
      tokens: TurnTokens? = nil, statistics: Statistics? = nil, model: ModelStamp? = nil,
      stopReason: StopReason? = nil
    ) {
      self.id = id
      self.parentID = parentID
      self.message = message
      self.created = created
      self.tokens = tokens
      self.statistics = statistics
      self.model = model
      self.stopReason = stopReason
    }
  }

  /// The tokens of one turn, as they were fed and sampled; earlier turns are never rendered again.
  package struct TurnTokens: Sendable, Hashable {
    /// What was fed before the reply: all of the conversation, or what follows the last reply.
    package var prompt: [TokenID]
    /// Where `prompt` begins the conversation anew rather than following the turns before it: what
    /// it was rendered with.
    package var whole: Rendering?
    /// Whether `prompt` has opened the thinking block, so that the reply begins inside it.
    package var startsInsideThinking: Bool
    /// The reply as sampled.
    package var reply: [TokenID]

    package init(
      prompt: [TokenID], whole: Rendering?, startsInsideThinking: Bool = false, reply: [TokenID]
    ) {
      self.prompt = prompt
      self.whole = whole
      self.startsInsideThinking = startsInsideThinking
      self.reply = reply
    }
  }

  /// What a conversation was rendered with, beside its messages.
  package struct Rendering: Sendable, Hashable {
    package var system: String?

    package init(system: String?) {
      self.system = system
    }
  }
}

extension ConversationTree.Node {
  /// Whether this is a reply that something other than itself has ended.
  package var isInterrupted: Bool {
    guard message.role == .assistant else { return false }
    return switch stopReason {
    case nil, .cancelled, .context, .memory, .heat, .error: true
    case .endOfTurn, .length, .stopString, .loop: false
    }
  }

  /// Whether the reply has more to say than it could.
  package var canContinue: Bool {
    guard message.role == .assistant, let tokens, !tokens.reply.isEmpty else { return false }
    return isInterrupted || stopReason == .length || stopReason == .loop
  }
}
