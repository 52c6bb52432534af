/// The numbers of an attention layer.
package struct AttentionShape: Sendable, Hashable {
  package let heads: Int
  package let keyValueHeads: Int
  package let headDimension: Int
  /// What a query's product with a key is multiplied by.
  package let scale: Float
  /// Positions that a query sees, its own included; nil for all.
  package let window: Int?

  /// `heads` must be a multiple of `keyValueHeads`.
  package init(
    heads: Int, keyValueHeads: Int, headDimension: Int, scale: Float, window: Int? = nil
  ) {
    precondition(keyValueHeads > 0 && heads > 0 && heads.isMultiple(of: keyValueHeads))
    precondition(headDimension > 0 && window ?? 1 > 0)
    self.heads = heads
    self.keyValueHeads = keyValueHeads
    self.headDimension = headDimension
    self.scale = scale
    self.window = window
  }

  /// Query heads that share a key-value head: query head h reads key-value head h / this.
  package var headsPerKeyValueHead: Int { heads / keyValueHeads }
}
