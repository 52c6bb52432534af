import Inference
import Tokenizers

extension ChatSession {
  /// What is fed for a reply.
  struct Feed {
    /// Tokens that were fed or sampled before.
    var history: [TokenID]
    var prompt: Prompt
    /// What `prompt` was rendered with, if it is the whole conversation.
    var whole: ConversationTree.Rendering?
    /// Why it had to be the whole conversation; nil where there was nothing else.
    var note: String?
    /// How many tokens had been fed or sampled, whether or not they lead on.
    var knownCount = 0
    /// What the model does not get to see.
    var dropped: DroppedMessages?

    var tokens: [TokenID] { history + prompt.tokens }
  }

  /// Why the stored tokens do not lead to the next turn, to follow "because".
  enum Staleness: String {
    case system = "the system prompt has changed"
    case model = "the model has changed"
    case template = "the chat template cannot continue the conversation"
  }

  /// What is fed for the reply to the leaf: all of it, or what follows the tokens before.
  func feed() throws -> Feed {
    let request = request(to: tree.path)
    let rendering = ConversationTree.Rendering(system: settings.system)
    guard let history = tree.history(to: tree.leafID) else {
      return Feed(history: [], prompt: try engine.prompt(request), whole: rendering)
    }
    var reason = staleness(of: history)
    if reason == nil {
      if let prompt = try? engine.continuation(request, after: history.tokens) {
        return Feed(
          history: history.tokens, prompt: prompt, knownCount: history.tokens.count)
      }
      reason = .template
    }
    return Feed(
      history: [], prompt: try engine.prompt(request), whole: rendering, note: reason?.rawValue,
      knownCount: history.tokens.count)
  }

  /// Why tokens are not those of the system prompt and the model that there are now.
  func staleness(of history: ConversationTree.History) -> Staleness? {
    if history.rendering.system != settings.system { return .system }
    guard let model = engine.loaded.map({ ModelStamp($0) }) else { return nil }
    return history.models.allSatisfy { $0.isSame(as: model) } ? nil : .model
  }

  func request(to path: [ConversationTree.Node]) -> PromptRequest {
    var messages = path.map(\.message)
    if let system = settings.system { messages.insert(ChatMessage(.system, system), at: 0) }
    return PromptRequest(
      messages: messages,
      thinking: engine.loaded?.thinking == .switchable ? settings.isThinking : nil)
  }

  func parameters(startsInsideThinking: Bool, reasoningTokens: Int = 0) -> GenerationParameters {
    GenerationParameters(
      maximumTokens: settings.maximumTokens, stopStrings: settings.stopStrings,
      sampling: SamplingParameters(model: engine.loaded?.sampling, user: settings.sampling),
      seed: settings.seed ?? UInt64.random(in: 0...UInt64(UInt32.max)),
      thinkingBudget: settings.thinkingBudget.map { max(0, $0 - reasoningTokens) },
      startsInsideThinking: startsInsideThinking, drafting: settings.drafting)
  }
}
