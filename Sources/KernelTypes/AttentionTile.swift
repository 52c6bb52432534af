/// The (m, l, o) of some rows.
package struct AttentionSums {
  /// Per row: the largest score, and the sum of the weights, which is 0 if no key was visible.
  package var maxima: UnsafeMutablePointer<Float>
  package var sums: UnsafeMutablePointer<Float>
  /// Weighted sums of values: rows × `AttentionTile.paddedDimension`.
  package var outputs: UnsafeMutablePointer<Float>

  package init(
    maxima: UnsafeMutablePointer<Float>, sums: UnsafeMutablePointer<Float>,
    outputs: UnsafeMutablePointer<Float>
  ) {
    self.maxima = maxima
    self.sums = sums
    self.outputs = outputs
  }
}

/// Queries that look at the keys of one key-value head, and where their results go.
///
/// A row is one query head of one token; the rows of a token follow one another.
package struct AttentionTile {
  /// The first row's query; the heads of a token are `headDimension` apart.
  package var queries: UnsafePointer<Float>
  /// Elements between tokens.
  package var queryStride: Int
  package var tokens: Int
  /// Query heads that share the key-value head.
  package var headsPerToken: Int
  package var headDimension: Int
  package var scale: Float
  /// The absolute position of the first token.
  package var position: Int
  /// A key is seen if it is less than this many positions behind, the query's own included.
  package var window: Int

  /// Scores, then weights: rows × 64.
  package var weights: UnsafeMutablePointer<Float>
  /// Room for the keys or the values of a block in float32: 64 × `paddedDimension`.
  package var widened: UnsafeMutablePointer<Float>
  /// What the block at hand gives.
  package var block: AttentionSums
  /// What that is merged into, as soon as a few rows are done; nil if somebody else merges.
  package var totals: AttentionSums?
  /// Where queries and weights go that have been multiplied by scales of quantised numbers:
  /// rows × (headDimension + 1) and, for four rows, the groups of values × (64 + 1).
  package var folded: UnsafeMutablePointer<Float>
  /// Bits of the codes of quantised keys and values.
  package var keyBits = 8
  package var valueBits = 8
  /// `headDimension` rounded up to whole registers.
  package var paddedDimension: Int
  /// 2³² / headsPerToken and a little: row · headsInverse / 2³² is the token of a row, without a division.
  package var headsInverse: Int

  package init(
    queries: UnsafePointer<Float>, queryStride: Int, tokens: Int, headsPerToken: Int,
    headDimension: Int, scale: Float, position: Int, window: Int,
    weights: UnsafeMutablePointer<Float>, folded: UnsafeMutablePointer<Float>,
    widened: UnsafeMutablePointer<Float>, block: AttentionSums, totals: AttentionSums?
  ) {
    self.queries = queries
    self.queryStride = queryStride
    self.tokens = tokens
    self.headsPerToken = headsPerToken
    self.headDimension = headDimension
    self.scale = scale
    self.position = position
    self.window = window
    self.weights = weights
    self.folded = folded
    self.widened = widened
    self.block = block
    self.totals = totals
    paddedDimension = (headDimension + 15) / 16 * 16
    headsInverse = (1 << 32) / headsPerToken + 1
  }
}
