/// Decides by the clock whether guessing pays.
///
/// Reading a guess costs more than reading a token, and how much more depends on the model: next to
/// nothing where memory sets the pace, much where a recurrent state must be copied or experts multiply.
/// So both are timed as they happen. When guesses bring fewer tokens a second than going without,
/// they pause, longer each time. Results never depend on any of this; only their speed does.
package struct DraftPace {
  /// Seconds per step of one token, and per step with a guess; nil before the first.
  package init() {}

  private var plainSeconds: Double?
  private var draftSeconds: Double?
  /// Tokens that a step with a guess brings, the one of its own among them.
  private var yield = 2.0
  private var pause = 0
  private var nextPause = 16

  private static let weight = 0.2

  /// Whether the next step may read a guess.
  package mutating func allowsDraft() -> Bool {
    // A first plain step is what guesses are measured against.
    guard plainSeconds != nil else { return false }
    if pause > 0 {
      pause -= 1
      return false
    }
    return true
  }

  /// A step of one token took `seconds`.
  package mutating func addPlain(seconds: Double) {
    plainSeconds = Self.blend(plainSeconds, seconds)
  }

  /// A step with a guess took `seconds`, keeping included, and brought `tokens`.
  package mutating func addDraft(seconds: Double, tokens: Int) {
    draftSeconds = Self.blend(draftSeconds, seconds)
    yield += Self.weight * (Double(tokens) - yield)
    guard let plainSeconds, let draftSeconds else { return }
    if yield * plainSeconds < draftSeconds {
      pause = nextPause
      nextPause = min(2 * nextPause, 512)
      // The next guess is judged anew, and not by those that led to the pause.
      yield = max(yield, draftSeconds / max(plainSeconds, 1e-9))
    } else if tokens > 1 {
      nextPause = 16
    }
  }

  private static func blend(_ old: Double?, _ new: Double) -> Double {
    old.map { $0 + weight * (new - $0) } ?? new
  }
}
