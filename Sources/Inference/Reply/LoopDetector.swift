package import Tokenizers

/// Notices a reply that only repeats itself.
///
/// Small models fall into cycles that never end, most often when decoded greedily or inside the
/// thinking block. A reply may rightly repeat (a table's rule, a grid of zeros, a refrain, what the
/// user asked for), so only a long run counts, and only if it is the same to the token: the same
/// block at least eight times over and together at least 256 tokens, or a block of more than 128
/// tokens, which is whole paragraphs, four times over.
///
/// The loops that SmolLM2-135M and a 1-bit model were seen to fall into have blocks of 5 to 47
/// tokens.
package struct LoopDetector: Sendable {
  /// A power of two.
  private static let longestPeriod = 512
  private static let longestSentence = 128
  private static let shortestRun = 256

  /// The last tokens, the token of place n at n modulo the period.
  private var recent = [TokenID](repeating: -1, count: longestPeriod)
  /// Of each period, less 1: how many of the last tokens equal the one a period before them.
  private var matches = [Int](repeating: 0, count: longestPeriod)
  private var count = 0

  package init() {}

  /// Takes the reply's next token; returns the length of the repeated block once it is a loop.
  package mutating func append(_ token: TokenID) -> Int? {
    var loop: Int?
    for period in 1...Self.longestPeriod {
      // A place not yet filled holds −1, which is no token.
      let before = recent[(count &- period) & (Self.longestPeriod - 1)]
      let matched = before == token ? matches[period - 1] + 1 : 0
      matches[period - 1] = matched
      let repeats = period <= Self.longestSentence ? 8 : 4
      if loop == nil, matched + period >= max(Self.shortestRun, repeats * period) {
        loop = period
      }
    }
    recent[count & (Self.longestPeriod - 1)] = token
    count &+= 1
    return loop
  }
}
