extension MemoryRefusal: CustomStringConvertible {
  package var description: String {
    switch self {
    case .context(let shortage): shortage.description
    case .modelContext(let asked, let length): Self.modelContext(asked, length) + "."
    case .memory(let shortage): shortage.description
    case .addressSpace(let shortage): shortage.description
    case .deaths(let deaths): deaths.description
    }
  }

  /// What is the matter, without the ways out.
  var fact: String {
    switch self {
    case .context(let shortage): shortage.description
    case .modelContext(let asked, let length): Self.modelContext(asked, length)
    case .memory(let shortage): shortage.fact
    case .addressSpace(let shortage): shortage.fact
    case .deaths(let deaths): deaths.fact
    }
  }

  private static func modelContext(_ asked: Int, _ length: Int) -> String {
    "The model's context is \(length.grouped) tokens, and \(asked.grouped) are asked for"
  }
}

extension LoadDeaths: CustomStringConvertible {
  package var description: String {
    """
    \(fact), so it is not loaded again; 'pipit models verify \(model)' clears this if its files \
    are sound, and --force tries anyway.
    """
  }

  var fact: String {
    "The last \(count) loads of \(model) killed the program, most likely for lack of memory"
  }
}

extension AddressShortage: CustomStringConvertible {
  package var description: String {
    switch purpose {
    case .program: "\(fact)."
    case .model: "\(fact); --force tries anyway."
    }
  }

  var fact: String {
    let subject =
      switch purpose {
      case .program: "The program's own threads take"
      case .model(let name): "The files of \(name) and threads to compute with take"
      }
    return """
      \(subject) \(ByteCount.text(needed)) of address space, but \(ByteCount.text(available)) is \
      available of the process's limit of \(ByteCount.text(limit)) (ulimit -v)
      """
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
    return "\(fact); \(ways.joined(separator: "; "))."
  }

  var fact: String {
    """
    This takes \(ByteCount.text(needed)) with a context of \(contextLength.grouped) tokens, but \
    \(ByteCount.text(available)) is available (bounded by \(limit))
    """
  }
}
