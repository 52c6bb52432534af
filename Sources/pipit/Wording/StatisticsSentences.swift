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
    if let rate = decodeTokensPerSecond {
      lines.append("decode       \(Figures.short(rate)) tokens/s")
    }
    lines.append("ended        \(stopReason.words)")
    let memory = [
      footprint.peakResident.map { "peak resident \(Figures.bytes($0))" },
      footprint.anonymous.map { "anonymous \(Figures.bytes($0))" },
      footprint.fileBacked.map { "file-backed \(Figures.bytes($0))" },
    ].compactMap { $0 }
    if !memory.isEmpty { lines.append("memory       " + memory.joined(separator: ", ")) }
    return lines
  }
}

extension StopReason {
  var words: String {
    switch self {
    case .endOfTurn: "by the model"
    case .length: "at the token limit"
    case .stopString: "at a stop string"
    case .cancelled: "by you"
    case .memory: "because memory ran short"
    case .heat: "because the machine is too hot"
    case .loop: "because it kept repeating itself"
    case .error: "by an error"
    }
  }

  /// What the reader has to know about a reply that did not end by itself; nil when nothing.
  var remark: String? {
    switch self {
    case .endOfTurn, .stopString, .cancelled, .error: nil
    case .length: "The reply was cut at the token limit."
    case .memory: "The reply was cut because memory ran short."
    case .heat: "The reply was cut because the machine is too hot."
    case .loop: "The reply was cut because it kept repeating itself."
    }
  }
}

enum Remark {
  static let onlyReasoning = """
    The token limit was spent on thinking and no answer was begun; raise -n or use --no-think.
    """

  /// What has to be said when a wish about thinking changes nothing; nil when it does.
  static func thinking(_ isWanted: Bool, _ model: ModelDescription) -> String? {
    switch (model.thinking, isWanted) {
    case (.none, true): "\(model.name) cannot think first; it answers at once."
    case (.always, false): "\(model.name) always thinks first; that cannot be switched off."
    default: nil
    }
  }
}
