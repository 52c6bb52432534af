import Kernels

/// The perplexity over the predictions so far.
package struct PerplexityEstimate: Sendable, Hashable {
  /// Predictions.
  package private(set) var count = 0
  private var sum = 0.0
  private var sumOfSquares = 0.0

  package init() {}

  /// Adds surprisals, −ln of the probabilities that the text's own tokens had.
  package mutating func add(_ surprisals: [Double]) {
    for surprisal in surprisals {
      count += 1
      sum += surprisal
      sumOfSquares += surprisal * surprisal
    }
  }

  /// e to the power of the mean surprisal; 1 without predictions.
  package var value: Double { count > 0 ? ExactMath.exponential(sum / Double(count)) : 1 }

  /// The standard error of `value`; 0 for fewer than two predictions.
  package var standardError: Double {
    guard count > 1 else { return 0 }
    let mean = sum / Double(count)
    let variance = max(0, sumOfSquares / Double(count) - mean * mean)
    return (variance / Double(count - 1)).squareRoot() * value
  }
}
