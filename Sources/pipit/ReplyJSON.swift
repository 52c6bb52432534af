import JSON
import Conversations
import Inference
import Tokenizers

extension JSONValue {
  /// What `run --json` prints.
  ///
  /// `conversation` is the one that it was kept in.
  static func turn(
    _ turn: ChatTurn, model: ModelDescription?, conversation: ConversationID?,
    _ chosen: ChatSettings, options: Options
  ) -> JSONValue {
    .members(
      [
        ("model", .optional(model?.name)),
        ("conversation", .optional(conversation?.description)),
        ("text", .string(turn.reply.content)),
        ("reasoning", .optional(turn.reply.reasoning)),
        ("dropped", turn.dropped.map(dropped) ?? .null),
      ] + statistics(turn.statistics) + [("settings", settings(turn.parameters, chosen, options))])
  }

  private static func dropped(_ dropped: DroppedMessages) -> JSONValue {
    .members([("messages", .integer(dropped.messages)), ("tokens", .integer(dropped.tokens))])
  }

  /// What the reply was made with; null is the engine's own choice.
  private static func settings(
    _ parameters: GenerationParameters, _ chosen: ChatSettings, _ options: Options
  ) -> JSONValue {
    let model = options.modelOptions
    return .members(
      sampling(parameters.sampling) + [
        ("max_tokens", .optional(parameters.maximumTokens)),
        ("stop", .array(parameters.stopStrings.map { .string($0) })),
        ("seed", .unsigned(parameters.seed)),
        ("system", .optional(chosen.system)),
        ("think", .bool(chosen.isThinking)),
        ("think_budget", .optional(parameters.thinkingBudget)),
        ("context", .optional(model.contextLength)),
        ("threads", .optional(model.threads)),
        ("kv_bits", .optional(model.keyValueBits?.rawValue)),
        ("backend", .optional(model.backend?.rawValue)),
        ("force", .bool(options.force)),
        ("overflow", .string(chosen.overflow.rawValue)),
      ])
  }

  /// The figures under the names of `Statistics.CodingKeys`.
  static func statistics(_ statistics: Statistics) -> [(String, JSONValue)] {
    [
      ("stop_reason", .string(statistics.stopReason.rawValue)),
      ("stop_note", .optional(statistics.stopNote)),
      ("prompt_tokens", .integer(statistics.promptTokens)),
      ("reused_tokens", .integer(statistics.reusedTokens)),
      ("generated_tokens", .integer(statistics.generatedTokens)),
      ("reasoning_tokens", .integer(statistics.reasoningTokens)),
      ("accepted_draft_tokens", .optional(statistics.acceptedDraftTokens)),
      ("prefill_tokens_per_second", .optional(statistics.prefillTokensPerSecond)),
      ("decode_tokens_per_second", .optional(statistics.decodeTokensPerSecond)),
      ("time_to_first_token_seconds", .optional(statistics.timeToFirstToken)),
      ("duration_seconds", .number(statistics.duration)),
      ("seed", .unsigned(statistics.seed)),
      ("reuse_note", .optional(statistics.reuseNote)),
      ("footprint", footprint(statistics.footprint)),
      ("estimated_peak_bytes", .optional(statistics.estimatedPeak)),
      ("estimated_anonymous_bytes", .optional(statistics.estimatedAnonymous)),
    ]
  }

  static func footprint(_ footprint: Footprint) -> JSONValue {
    .members([
      ("peak_resident_bytes", .optional(footprint.peakResident)),
      ("anonymous_bytes", .optional(footprint.anonymous)),
      ("file_backed_bytes", .optional(footprint.fileBacked)),
      ("proportional_bytes", .optional(footprint.proportional)),
    ])
  }

  private static func sampling(_ sampling: SamplingParameters) -> [(String, JSONValue)] {
    [
      ("temperature", .number(sampling.temperature)),
      ("top_k", .integer(sampling.topK)),
      ("top_p", .number(sampling.topP)),
      ("min_p", .number(sampling.minP)),
      ("repeat_penalty", .number(sampling.repetitionPenalty)),
      ("presence_penalty", .number(sampling.presencePenalty)),
      ("frequency_penalty", .number(sampling.frequencyPenalty)),
    ]
  }

  /// A line of `run --ndjson`.
  static func event(
    _ event: GenerationEvent
  ) -> JSONValue {
    switch event {
    case .prefill(let done, let total):
      .members([
        ("event", .string("prefill")), ("done", .integer(done)), ("total", .integer(total)),
      ])
    case .reasoning(let text, let tokens):
      .members([
        ("event", .string("reasoning")), ("text", .string(text)), ("tokens", ids(tokens)),
      ])
    case .answer(let text, let tokens):
      .members([("event", .string("answer")), ("text", .string(text)), ("tokens", ids(tokens))])
    case .toolCall(let call, let tokens):
      .members([
        ("event", .string("tool_call")), ("name", .string(call.name)),
        ("arguments", .string(call.arguments)), ("tokens", ids(tokens)),
      ])
    case .finished(let statistics):
      .members([("event", .string("finished"))] + self.statistics(statistics))
    }
  }

  /// The last line of `run --ndjson` when the conversation is kept.
  static func kept(_ conversation: ConversationID) -> JSONValue {
    .members([
      ("event", .string("kept")), ("conversation", .string(conversation.description)),
    ])
  }

  private static func ids(_ tokens: [TokenID]) -> JSONValue {
    .array(tokens.map { .integer(Int($0)) })
  }
}
