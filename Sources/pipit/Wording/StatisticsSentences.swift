import Conversations
import Inference

extension Statistics {
  /// One line of figures after a reply.
  var line: String {
    var parts: [String] = []
    var prompt = "prompt \(Figures.tokens(promptTokens))"
    if reusedTokens > 0 || reuseNote != nil { prompt = reuse }
    if let rate = prefillTokensPerSecond {
      prompt += reusedTokens > 0 ? ", the rest" : ""
      prompt += " at \(Figures.short(rate))/s"
    }
    parts.append(prompt)
    if let reuseNote { parts.append("read anew because \(reuseNote)") }
    if let timeToFirstToken { parts.append("first after \(Figures.duration(timeToFirstToken))") }
    var reply = "reply \(Figures.tokens(generatedTokens))"
    if reasoningTokens > 0 { reply += " (\(Figures.grouped(reasoningTokens)) thinking)" }
    if let rate = decodeTokensPerSecond { reply += " at \(Figures.short(rate))/s" }
    parts.append(reply)
    if let peak = footprint.peakResident { parts.append("peak resident \(Figures.bytes(peak))") }
    return parts.joined(separator: " · ")
  }

  private var reuse: String {
    "reused \(Figures.grouped(reusedTokens)) of \(Figures.tokens(promptTokens))"
  }

  /// Columns of the names in `lines`.
  static let nameColumns = 13

  /// All figures, a line each, for `/stats`.
  var lines: [String] {
    var lines = ["prompt       \(reuse)"]
    if let reuseNote { lines.append("             read anew because \(reuseNote)") }
    if let rate = prefillTokensPerSecond {
      lines.append("prefill      \(Figures.short(rate)) tokens/s")
    }
    if let timeToFirstToken {
      lines.append("first token  after \(Figures.duration(timeToFirstToken))")
    }
    lines.append(
      "reply        \(Figures.tokens(generatedTokens))"
        + (reasoningTokens > 0 ? ", of which \(Figures.grouped(reasoningTokens)) thinking" : ""))
    if let acceptedDraftTokens {
      lines.append("guessed      \(Figures.tokens(acceptedDraftTokens)) of it, rightly")
    }
    if let rate = decodeTokensPerSecond {
      lines.append("decode       \(Figures.short(rate)) tokens/s")
    }
    lines.append("ended        \(stopReason.words)")
    if let memoryLine { lines.append("memory       " + memoryLine) }
    return lines
  }

  /// Every figure of memory by the name of its metric, beside the estimate; nil when none is known.
  var memoryLine: String? {
    let figures = footprint.named.map { "\($0.name) \(Figures.bytes($0.bytes))" }
    if figures.isEmpty { return nil }
    let estimate = estimatedPeak.map { ["estimated peak \(Figures.bytes($0))"] } ?? []
    return (figures + estimate).joined(separator: ", ")
  }
}

extension StopReason {
  var words: String {
    switch self {
    case .endOfTurn: "by the model"
    case .length: "at the token limit"
    case .context: "because the context is full"
    case .stopString: "at a stop string"
    case .cancelled: "by you"
    case .memory: "because memory ran short"
    case .heat: "because the machine is too hot"
    case .loop: "because it kept repeating itself"
    case .error: "by an error"
    }
  }

  /// What the reader has to know about a reply that did not end by itself; nil when nothing.
  ///
  /// Of memory and heat the statistics have a sentence with figures, and of the context `Remark`.
  var remark: String? {
    switch self {
    case .endOfTurn, .stopString, .cancelled, .error: nil
    case .length: "The reply was cut at the token limit."
    case .context: "The context is full; the reply is cut."
    case .memory: "The reply was cut because memory ran short."
    case .heat: "The reply was cut because the machine is too hot."
    case .loop: "The reply was cut because it kept repeating itself."
    }
  }
}

extension DroppedMessages {
  var sentence: String {
    """
    The model no longer sees the oldest \(messages == 1 ? "message" : "\(messages) messages") \
    (\(Figures.tokens(tokens))) of this conversation; the rest of it fits the context.
    """
  }
}

extension SetAsideMessage {
  var sentence: String {
    """
    Your \(hasReplies ? "last" : "unanswered") message (\(Figures.tokens(tokens))) is set aside; \
    /branch \(branch) has it.
    """
  }
}

enum Remark {
  static let onlyReasoning = """
    The token limit was spent on thinking and no answer was begun; raise -n or use --no-think.
    """

  /// What ended a reply that no limit was asked for, and the way out if there is one.
  static func contextIsFull(
    _ context: Int, model: ModelDescription?, isOnlyReasoning: Bool
  ) -> String {
    let isModels = context >= model?.contextLength ?? Int.max
    let what = isModels ? "The model's context" : "The context"
    let full = "\(what) of \(Figures.tokens(context)) is full; "
    let cut =
      isOnlyReasoning
      ? "all of the reply was thinking and no answer was begun." : "the reply is cut."
    return full + cut + (isModels ? "" : " -c gives more.")
  }

  /// What a load with few bits for keys costs; nil where nobody will notice.
  static func coarseKeys(_ model: ModelDescription) -> String? {
    guard model.hasCoarseKeys else { return nil }
    return """
      Keys of 4 bits make \(model.name) less exact; --kv-bits 8/4 costs hardly anything and \
      takes two fifths of the memory of 16.
      """
  }

  /// What has to be said when a wish about thinking changes nothing; nil when it does.
  static func thinking(_ isWanted: Bool, _ model: ModelDescription) -> String? {
    switch (model.thinking, isWanted) {
    case (.none, true): "\(model.name) cannot think first; it answers at once."
    case (.always, false): "\(model.name) always thinks first; that cannot be switched off."
    default: nil
    }
  }
}
