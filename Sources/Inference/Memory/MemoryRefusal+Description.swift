extension MemoryRefusal: CustomStringConvertible {
  package var description: String {
    switch self {
    case .context(let shortage): shortage.description
    case .memory(let shortage): shortage.description
    }
  }
}

extension ContextShortage: CustomStringConvertible {
  package var description: String {
    let isLargest = contextLength >= modelContextLength
    let way =
      isLargest
      ? "the model has no larger one."
      : "the model has up to \(modelContextLength.grouped) (-c/--context)."
    return """
      The prompt has \(promptTokens.grouped) tokens and the reply needs \(replyTokens.grouped), \
      which is more than the context of \(contextLength.grouped); \(way)
      """
  }
}

extension MemoryShortage: CustomStringConvertible {
  package var description: String {
    var ways: [String] = []
    if let largestContext, largestContext < contextLength {
      ways.append("a context of \(largestContext.grouped) tokens fits (-c \(largestContext))")
    }
    if let smallerModel { ways.append("the smaller model \(smallerModel) fits") }
    ways.append("--force tries anyway")
    return """
      This takes \(ByteCount.text(needed)) with a context of \(contextLength.grouped) tokens, but \
      \(ByteCount.text(available)) is available (bounded by \(limit)); \
      \(ways.joined(separator: "; ")).
      """
  }
}

extension MemoryRefusal: Encodable {
  private enum CodingKeys: String, CodingKey {
    case kind
  }

  /// The figures beside their kind, `context` or `memory`.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .context(let shortage):
      try container.encode("context", forKey: .kind)
      try shortage.encode(to: encoder)
    case .memory(let shortage):
      try container.encode("memory", forKey: .kind)
      try shortage.encode(to: encoder)
    }
  }
}
