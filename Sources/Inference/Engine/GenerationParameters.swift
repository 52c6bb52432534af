/// When a reply's next tokens are guessed, and several read at a time.
package enum Drafting: String, Sendable, Hashable, CaseIterable {
  case off
  /// As long as the clock says that it pays.
  case whenFaster = "auto"
  case always = "on"
}

/// What one reply is to be like.
package struct GenerationParameters: Sendable, Hashable {
  /// The most tokens to generate; nil is to the end of the context.
  package var maximumTokens: Int?
  /// Texts that end the reply; they are not part of it.
  package var stopStrings: [String]
  package var sampling: SamplingParameters
  /// Makes a run repeatable: the same seed draws the same numbers.
  package var seed: UInt64
  /// The most tokens of thinking before the block is closed; nil is no limit.
  package var thinkingBudget: Int?
  /// Whether the prompt has opened the thinking block (`Prompt.startsInsideThinking`).
  package var startsInsideThinking: Bool
  /// Whether a reply that only repeats itself is stopped.
  package var stopsLoops: Bool
  /// Whether tokens are guessed from the conversation; the reply is the same.
  package var drafting: Drafting
  /// Whether generating goes on past an end-of-turn token, for measuring.
  package var ignoresEndOfTurn: Bool

  package init(
    maximumTokens: Int? = nil, stopStrings: [String] = [],
    sampling: SamplingParameters = SamplingParameters(), seed: UInt64 = 0,
    thinkingBudget: Int? = nil, startsInsideThinking: Bool = false, stopsLoops: Bool = true,
    drafting: Drafting = .whenFaster, ignoresEndOfTurn: Bool = false
  ) {
    self.maximumTokens = maximumTokens
    self.stopStrings = stopStrings
    self.sampling = sampling
    self.seed = seed
    self.thinkingBudget = thinkingBudget
    self.startsInsideThinking = startsInsideThinking
    self.stopsLoops = stopsLoops
    self.drafting = drafting
    self.ignoresEndOfTurn = ignoresEndOfTurn
  }
}

extension GenerationParameters {
  /// Why a reply ends that has as many tokens as it may.
  var lengthReason: StopReason { maximumTokens == nil ? .context : .length }
}
