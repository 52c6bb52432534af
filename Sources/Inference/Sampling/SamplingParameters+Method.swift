extension SamplingParameters {
  /// How the token is found.
  enum Method {
    case greedy, walk, nucleus
    case limited(Int)

    var isLimited: Bool { if case .limited = self { true } else { false } }

    var isNucleus: Bool { if case .nucleus = self { true } else { false } }
    var isWalk: Bool { if case .walk = self { true } else { false } }
  }

  var method: Method {
    if temperature == 0 { return .greedy }
    if topK > 0 { return .limited(topK) }
    return topP < 1 || minP > 0 ? .nucleus : .walk
  }

  var hasPenalties: Bool {
    repetitionPenalty != 1 || presencePenalty != 0 || frequencyPenalty != 0
  }
}
