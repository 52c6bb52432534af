extension PreTokenizer {
  /// What `text` is cut into, for a look at what a pattern does: it is compiled for each call.
  package func pieces(of text: String) throws -> [String] {
    let bytes = Array(text.utf8)
    return try Cutter(self).cut(bytes.span).map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  /// A pre-tokeniser with its patterns compiled.
  struct Cutter: Sendable {
    private let stages: [(pattern: Pattern, behaviour: Behaviour, inverted: Bool)]

    init(_ preTokenizer: PreTokenizer) throws(TokenizerError) {
      var stages: [(Pattern, Behaviour, Bool)] = []
      for stage in preTokenizer.stages {
        stages.append((try Pattern(stage.pattern), stage.behaviour, stage.inverted))
      }
      self.stages = stages
    }

    /// The pieces of `text`, ascending and apart.
    func cut(_ text: Span<UInt8>) throws(TokenizerError) -> [Range<Int>] {
      var pieces = text.isEmpty ? [] : [0..<text.count]
      guard !stages.isEmpty else { return pieces }
      let scratch = try MatchScratch(length: text.count)
      var matches: [Range<Int>] = []
      for stage in stages {
        var parts: [Range<Int>] = []
        parts.reserveCapacity(pieces.count)
        for piece in pieces {
          matches.removeAll(keepingCapacity: true)
          try stage.pattern.appendMatches(in: text, piece, with: scratch, to: &matches)
          appendParts(of: piece, cutBy: matches, stage.behaviour, stage.inverted, to: &parts)
        }
        pieces = parts
      }
      return pieces
    }

    /// Cuts `piece` as tokenizer.json's `Split` does.
    private func appendParts(
      of piece: Range<Int>, cutBy matches: [Range<Int>], _ behaviour: Behaviour,
      _ inverted: Bool, to parts: inout [Range<Int>]
    ) {
      var joiner = Joiner(behaviour)
      var position = piece.lowerBound
      for match in matches {
        if position < match.lowerBound {
          joiner.append(position..<match.lowerBound, isMatch: inverted, to: &parts)
        }
        joiner.append(match, isMatch: !inverted, to: &parts)
        position = match.upperBound
      }
      if position < piece.upperBound {
        joiner.append(position..<piece.upperBound, isMatch: inverted, to: &parts)
      }
      joiner.finish(to: &parts)
    }
  }

  /// Joins the matches and gaps of one piece by a behaviour.
  private struct Joiner {
    private let behaviour: Behaviour
    private var pending: Range<Int>?
    private var pendingIsMatch = false

    init(_ behaviour: Behaviour) {
      self.behaviour = behaviour
    }

    mutating func append(_ part: Range<Int>, isMatch: Bool, to parts: inout [Range<Int>]) {
      if behaviour == .isolated {
        if !part.isEmpty { parts.append(part) }
        return
      }
      if let previous = pending, joins(isMatch) {
        pending = previous.lowerBound..<part.upperBound
      } else {
        finish(to: &parts)
        pending = part
      }
      pendingIsMatch = isMatch
    }

    /// Whether a part goes with the one before it.
    private func joins(_ isMatch: Bool) -> Bool {
      switch behaviour {
      case .isolated, .removed: false
      case .mergedWithPrevious: isMatch && !pendingIsMatch
      case .mergedWithNext: !isMatch && pendingIsMatch
      case .contiguous: isMatch == pendingIsMatch
      }
    }

    /// Hands over the last part.
    mutating func finish(to parts: inout [Range<Int>]) {
      guard let part = pending else { return }
      pending = nil
      if behaviour == .removed && pendingIsMatch || part.isEmpty { return }
      parts.append(part)
    }
  }
}
