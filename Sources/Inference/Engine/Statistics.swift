/// The figures of one reply.
package struct Statistics: Sendable, Hashable, Codable {
  /// Tokens of the prompt.
  package var promptTokens: Int
  /// Of these, tokens whose state was there already.
  package var reusedTokens: Int
  /// Tokens sampled, an end-of-turn token included.
  package var generatedTokens: Int
  /// Of these, tokens of the thinking block.
  package var reasoningTokens: Int
  /// Of these, tokens that were guessed from the conversation and came true; nil when nothing was
  /// guessed.
  package var acceptedDraftTokens: Int?
  /// Tokens of the prompt processed per second, reused ones left out; nil when there were none.
  package var prefillTokensPerSecond: Double?
  /// Tokens per second after the first one; nil below two tokens.
  package var decodeTokensPerSecond: Double?
  /// Seconds from the call to the first token; nil when there was none.
  package var timeToFirstToken: Double?
  /// Seconds from the call to the end.
  package var duration: Double
  package var footprint: Footprint
  /// What the memory plan says the model takes at most with this prompt and reply, in bytes, to
  /// compare with `footprint.peakResident`; nil where there is no plan.
  package var estimatedPeak: Int?
  /// Of these, the bytes of no file, to compare with `footprint.anonymous`.
  package var estimatedAnonymous: Int?
  package var stopReason: StopReason
  /// The figures of what the machine lacked, as a sentence, when the reason is memory or heat.
  package var stopNote: String?
  /// The seed the reply can be repeated with.
  package var seed: UInt64
  /// Why nothing of an earlier prompt could be reused, as a sentence; nil when it could or there
  /// was none.
  package var reuseNote: String?

  package init(
    promptTokens: Int = 0, reusedTokens: Int = 0, generatedTokens: Int = 0,
    reasoningTokens: Int = 0, acceptedDraftTokens: Int? = nil,
    prefillTokensPerSecond: Double? = nil,
    decodeTokensPerSecond: Double? = nil, timeToFirstToken: Double? = nil, duration: Double = 0,
    footprint: Footprint = Footprint(), estimatedPeak: Int? = nil,
    estimatedAnonymous: Int? = nil,
    stopReason: StopReason = .endOfTurn, stopNote: String? = nil, seed: UInt64 = 0,
    reuseNote: String? = nil
  ) {
    self.promptTokens = promptTokens
    self.reusedTokens = reusedTokens
    self.generatedTokens = generatedTokens
    self.reasoningTokens = reasoningTokens
    self.acceptedDraftTokens = acceptedDraftTokens
    self.prefillTokensPerSecond = prefillTokensPerSecond
    self.decodeTokensPerSecond = decodeTokensPerSecond
    self.timeToFirstToken = timeToFirstToken
    self.duration = duration
    self.footprint = footprint
    self.estimatedPeak = estimatedPeak
    self.estimatedAnonymous = estimatedAnonymous
    self.stopReason = stopReason
    self.stopNote = stopNote
    self.seed = seed
    self.reuseNote = reuseNote
  }

  package enum CodingKeys: String, CodingKey {
    case promptTokens = "prompt_tokens"
    case reusedTokens = "reused_tokens"
    case generatedTokens = "generated_tokens"
    case reasoningTokens = "reasoning_tokens"
    case acceptedDraftTokens = "accepted_draft_tokens"
    case prefillTokensPerSecond = "prefill_tokens_per_second"
    case decodeTokensPerSecond = "decode_tokens_per_second"
    case timeToFirstToken = "time_to_first_token_seconds"
    case duration = "duration_seconds"
    case footprint
    case estimatedPeak = "estimated_peak_bytes"
    case estimatedAnonymous = "estimated_anonymous_bytes"
    case stopReason = "stop_reason"
    case stopNote = "stop_note"
    case seed
    case reuseNote = "reuse_note"
  }
}
