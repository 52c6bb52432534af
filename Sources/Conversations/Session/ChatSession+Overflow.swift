import Inference

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
  /// What is fed when `feed` outgrows the context and messages may be dropped: the system prompt and
  /// the newest exchanges, of which the last question is always one.
  ///
  /// They get half the context, so that the turns after this one can follow it without being read
  /// anew; more only where the last question alone needs more. What does not fit even so is for the
  /// engine to refuse, with its figures.
  func fitted(_ feed: Feed) throws -> Feed {
    guard settings.overflow == .dropOldest else { return feed }
    let length = engine.contextLength
    let window = ContextWindow(
      length: length, modelLength: engine.loaded?.contextLength ?? length)
    let reply = settings.maximumTokens
    func fits(_ tokens: Int) -> Bool {
      (try? window.admit(promptTokens: tokens, replyTokens: reply)) != nil
    }
    let whole = feed.history.count + feed.prompt.tokens.count
    if fits(whole) { return feed }

    let path = tree.path
    let questions = path.indices.filter { path[$0].message.role == .user }
    guard let last = questions.last else { return feed }
    var best = (first: last, prompt: try engine.prompt(request(to: Array(path[last...]))))
    // Fewer messages never need more.
    var low = 0
    var high = questions.count - 1
    while low < high {
      let middle = (low + high) / 2
      let first = questions[middle]
      let prompt = try engine.prompt(request(to: Array(path[first...])))
      if fits(prompt.tokens.count), prompt.tokens.count <= length / 2 {
        best = (first, prompt)
        high = middle
      } else {
        low = middle + 1
      }
    }
    guard best.first > 0 else { return feed }
    return Feed(
      history: [], prompt: best.prompt,
      whole: ConversationTree.Rendering(system: settings.system),
      note: "older messages no longer fit the context", knownCount: feed.knownCount,
      dropped: DroppedMessages(
        messages: best.first, tokens: max(0, whole - best.prompt.tokens.count)))
  }
}
