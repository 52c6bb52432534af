package import Inference

/// What a user has chosen for the turns of a conversation.
package struct ChatSettings: Sendable, Hashable {
  /// The system prompt; nil leaves it to the model's template, empty is an empty one.
  package var system: String?
  /// Whether a model that can switch is to think; it starts fast.
  package var isThinking: Bool
  /// The most tokens of thinking; nil is no limit.
  package var thinkingBudget: Int?
  /// The user's choices over the model's own.
  package var sampling: SamplingOverrides
  /// The most tokens of a reply; nil is to the end of the context.
  package var maximumTokens: Int?
  package var stopStrings: [String]
  /// Repeats a reply; nil draws a new seed for each.
  package var seed: UInt64?
  /// What becomes of a turn that outgrows the context.
  package var overflow: Overflow
  /// Whether tokens are guessed from the conversation, which changes nothing but the speed.
  package var drafting: Drafting

  package init(
    system: String? = nil, isThinking: Bool = false, thinkingBudget: Int? = nil,
    sampling: SamplingOverrides = SamplingOverrides(), maximumTokens: Int? = nil,
    stopStrings: [String] = [], seed: UInt64? = nil, overflow: Overflow = .refuse,
    drafting: Drafting = .whenFaster
  ) {
    self.system = system
    self.isThinking = isThinking
    self.thinkingBudget = thinkingBudget
    self.sampling = sampling
    self.maximumTokens = maximumTokens
    self.stopStrings = stopStrings
    self.seed = seed
    self.overflow = overflow
    self.drafting = drafting
  }
}
