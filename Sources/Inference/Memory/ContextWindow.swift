/// How many tokens a prompt and its reply may have.
package struct ContextWindow: Sendable, Hashable {
  /// The most that prompt and reply may have together, as loaded.
  package var length: Int
  /// The most the model was made for.
  package var modelLength: Int

  package init(length: Int, modelLength: Int) {
    self.length = length
    self.modelLength = modelLength
  }

  /// Admits the length that a model is to be loaded with.
  ///
  /// - Throws: `MemoryRefusal.modelContext`.
  static func admit(_ length: Int, modelLength: Int) throws(MemoryRefusal) {
    if length > modelLength {
      throw .modelContext(asked: length, modelContextLength: modelLength)
    }
  }

  /// Admits a prompt with its reply; returns how many tokens the reply may have.
  ///
  /// A reply of no stated length gets what is left, but a prompt that leaves hardly anything is
  /// refused: a reply cut short after a few words is worth less than a word now.
  ///
  /// - Throws: `MemoryRefusal.context`.
  @discardableResult
  package func admit(
    promptTokens: Int, replyTokens: Int?
  ) throws(MemoryRefusal) -> Int {
    let reserved = replyTokens ?? shortestReply
    guard promptTokens <= length, reserved <= length - promptTokens else {
      throw .context(
        ContextShortage(
          promptTokens: promptTokens, replyTokens: reserved, contextLength: length,
          modelContextLength: modelLength))
    }
    return replyTokens ?? (length - promptTokens)
  }

  /// What is reserved for a reply of no stated length.
  private var shortestReply: Int { max(1, min(64, length / 8)) }
}

/// The lengths of context that are offered.
package enum ContextLadder {
  /// 2K, 4K, … to the model's own length, which is the last rung.
  package static func rungs(modelLength: Int) -> [Int] {
    var rungs: [Int] = []
    var rung = 2048
    while rung < modelLength {
      rungs.append(rung)
      rung *= 2
    }
    return rungs + [modelLength]
  }

  /// The default context: the largest rung that fits well, or else the largest context that fits
  /// at all, or the lowest rung, whose refusal then says why.
  package static func defaultLength(
    _ plan: MemoryPlan, modelLength: Int, on machine: MachineMemory
  ) -> Int {
    let rungs = rungs(modelLength: modelLength)
    let comfortable = rungs.last {
      FitVerdict(plan, positions: $0, modelLength: modelLength, on: machine).isComfortable
    }
    if let comfortable { return comfortable }
    let lowest = rungs[0]
    return MemoryBudget.largestContext(
      plan, on: machine, held: HeldMemory(), atMost: lowest) ?? lowest
  }
}
