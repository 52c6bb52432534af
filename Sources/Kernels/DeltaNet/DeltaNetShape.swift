/// The numbers of a gated delta net layer.
package struct DeltaNetShape: Sendable, Hashable {
  /// Which key head a value head reads.
  package enum HeadOrder: Sendable, Hashable {
    /// Value heads that share a key head lie side by side (Hugging Face, MLX): h / ratio.
    case grouped
    /// They lie as many apart as there are key heads (GGUF): h mod keyHeads.
    case tiled
  }

  /// Rows that the convolution looks at, the current one included.
  package static let taps = 4

  package let keyHeads: Int
  package let valueHeads: Int
  package let keyDimension: Int
  package let valueDimension: Int
  package let headOrder: HeadOrder

  /// `valueHeads` must be a multiple of `keyHeads`.
  package init(
    keyHeads: Int, valueHeads: Int, keyDimension: Int, valueDimension: Int,
    headOrder: HeadOrder
  ) {
    precondition(keyHeads > 0 && valueHeads > 0 && valueHeads.isMultiple(of: keyHeads))
    precondition(keyDimension > 0 && valueDimension > 0)
    self.keyHeads = keyHeads
    self.valueHeads = valueHeads
    self.keyDimension = keyDimension
    self.valueDimension = valueDimension
    self.headOrder = headOrder
  }

  /// Columns of all queries, or of all keys.
  package var keyWidth: Int { keyHeads * keyDimension }
  /// Columns of all values.
  package var valueWidth: Int { valueHeads * valueDimension }
  /// Columns that the convolution runs over: queries, keys, values.
  package var channels: Int { 2 * keyWidth + valueWidth }

  func keyHead(of valueHead: Int) -> Int {
    switch headOrder {
    case .grouped: valueHead / (valueHeads / keyHeads)
    case .tiled: valueHead % keyHeads
    }
  }

  /// Value rows that a kernel takes at a time: with 128 keys 16 kB, which stay in the first level of the
  /// cache from token to token.
  static let sliceRows = 32

  var slicesPerHead: Int { (valueDimension + Self.sliceRows - 1) / Self.sliceRows }

  /// Value rows as they lie in the state.
  var paddedValueDimension: Int { slicesPerHead * Self.sliceRows }
}
