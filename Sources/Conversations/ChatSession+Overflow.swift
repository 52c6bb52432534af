import Inference
import Tokenizers

/// What becomes of a turn that outgrows the context.
package enum Overflow: String, Sendable, Hashable, CaseIterable, Codable {
  /// It is refused, and the conversation stays as it was.
  case refuse
  /// The model no longer gets to see the oldest messages; they stay in the conversation.
  case dropOldest = "drop-oldest"
}

/// What the model did not get to see of a conversation, for its context to suffice.
package struct DroppedMessages: Sendable, Hashable, Codable {
  package var messages: Int
  package var tokens: Int

  package init(messages: Int, tokens: Int) {
    self.messages = messages
    self.tokens = tokens
  }
}

extension ChatSession {
  /// What is fed to the engine for a reply.
  struct Feed {
    var prompt: Prompt
    /// Whether it is the conversation from its beginning rather than what follows.
    var isWhole: Bool
    /// Why it is, where it might have been otherwise.
    var note: String?
    var dropped: DroppedMessages?
  }

  /// What is fed when `feed` outgrows the context and messages may be dropped: the system prompt and
  /// the newest exchanges, of which the last question is always one.
  ///
  /// They get half the context, so that the turns after this one can follow it without being read
  /// anew; more only where the last question alone needs more. What does not fit even so is for the
  /// engine to refuse, with its figures.
  func fitted(_ feed: Feed, after history: [TokenID]) throws -> Feed {
    guard settings.overflow == .dropOldest else { return feed }
    let length = engine.contextLength
    let window = ContextWindow(
      length: length, modelLength: engine.loaded?.contextLength ?? length)
    let reply = settings.maximumTokens
    func fits(_ tokens: Int) -> Bool {
      (try? window.admit(promptTokens: tokens, replyTokens: reply)) != nil
    }
    let whole = (feed.isWhole ? 0 : history.count) + feed.prompt.tokens.count
    if fits(whole) { return feed }

    let messages = tree.path.map(\.message)
    let questions = messages.indices.filter { messages[$0].role == .user }
    guard let last = questions.last else { return feed }
    var best = (first: last, prompt: try engine.prompt(makeRequest(Array(messages[last...]))))
    // Fewer messages never need more.
    var low = 0
    var high = questions.count - 1
    while low < high {
      let middle = (low + high) / 2
      let first = questions[middle]
      let prompt = try engine.prompt(makeRequest(Array(messages[first...])))
      if fits(prompt.tokens.count), prompt.tokens.count <= length / 2 {
        best = (first, prompt)
        high = middle
      } else {
        low = middle + 1
      }
    }
    guard best.first > 0 else { return feed }
    return Feed(
      prompt: best.prompt, isWhole: true, note: "older messages no longer fit the context",
      dropped: DroppedMessages(
        messages: best.first, tokens: max(0, whole - best.prompt.tokens.count)))
  }
}
