/// Up to 32 value rows of one head of a gated delta net, over the tokens of a chunk.
package struct DeltaRuleSlice {
  /// The head's queries and keys, `keyDimension` per token, and its values from the slice's first
  /// row on; all three lie in rows of one stride.
  package var queries: UnsafePointer<Float>
  package var keys: UnsafePointer<Float>
  package var values: UnsafePointer<Float>
  package var inputStride: Int
  package var tokens: Int
  package var keyDimension: Int
  /// Value rows, 1 to 32.
  package var lanes: Int
  /// keyDimension × 32: lane = value row.
  package var state: UnsafeMutablePointer<Float>
  /// The head's decay and step per token, in rows of one stride.
  package var decays: UnsafePointer<Float>
  package var steps: UnsafePointer<Float>
  package var gateStride: Int
  package var outputs: UnsafeMutablePointer<Float>
  package var outputStride: Int

  package init(
    queries: UnsafePointer<Float>, keys: UnsafePointer<Float>, values: UnsafePointer<Float>,
    inputStride: Int, tokens: Int, keyDimension: Int, lanes: Int,
    state: UnsafeMutablePointer<Float>, decays: UnsafePointer<Float>,
    steps: UnsafePointer<Float>, gateStride: Int, outputs: UnsafeMutablePointer<Float>,
    outputStride: Int
  ) {
    self.queries = queries
    self.keys = keys
    self.values = values
    self.inputStride = inputStride
    self.tokens = tokens
    self.keyDimension = keyDimension
    self.lanes = lanes
    self.state = state
    self.decays = decays
    self.steps = steps
    self.gateStride = gateStride
    self.outputs = outputs
    self.outputStride = outputStride
  }
}
