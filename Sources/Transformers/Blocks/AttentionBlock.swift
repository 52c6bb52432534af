import Kernels

/// Grouped-query softmax attention with what a family adds to it (biases, head norms, a gate).
struct AttentionBlock: Sendable {
  let query, key, value, output: Linear
  /// The output gate's projection, split off the query's at load.
  let outputGate: Linear?
  let queryNorm, keyNorm: Slab<Float>?
  let shape: AttentionShape
  let epsilon: Float

  /// The projections that read the block's input.
  let inputs: [PreparedMatrix]
  let outputs: [PreparedMatrix]

  init(
    query: Linear, key: Linear, value: Linear, output: Linear, outputGate: Linear?,
    queryNorm: Slab<Float>?, keyNorm: Slab<Float>?, shape: AttentionShape, epsilon: Float
  ) {
    (self.query, self.key, self.value, self.output) = (query, key, value, output)
    self.outputGate = outputGate
    (self.queryNorm, self.keyNorm) = (queryNorm, keyNorm)
    (self.shape, self.epsilon) = (shape, epsilon)
    inputs = [query, key, value].map(\.matrix) + (outputGate.map { [$0.matrix] } ?? [])
    outputs = [output.matrix]
  }

  /// Adds the block's result to `result`, or stores it there.
  ///
  /// `input` is the normed hidden rows (token × hidden), the first of them at the absolute
  /// `position`; `blocks` are the layer's keys and values, with room for the rows.
  func apply(
    _ input: FloatRows, blocks: KVBlocks, at position: Int, into result: FloatRows,
    mode: MultiplyMode, pass: Pass
  ) {
    let compute = pass.compute
    let workspace = pass.workspace
    let tokens = input.rows
    let width = shape.heads * shape.headDimension
    let keyValueWidth = shape.keyValueHeads * shape.headDimension
    let queries = FloatRows(workspace.query, rows: tokens, columns: width)
    let keys = FloatRows(workspace.key, rows: tokens, columns: keyValueWidth)
    let values = FloatRows(workspace.value, rows: tokens, columns: keyValueWidth)
    let gates = FloatRows(workspace.outputGate, rows: tokens, columns: width)
    let attended = FloatRows(workspace.attended, rows: tokens, columns: width)

    compute.quantise(
      input, for: inputs, into: workspace.hiddenActivations, backend: pass.backend)
    if let outputGate {
      let products: [4 of Compute.Product] = [
        (query.matrix, queries), (key.matrix, keys), (value.matrix, values),
        (outputGate.matrix, gates),
      ]
      compute.multiply(
        products.span, by: workspace.hiddenActivations, backend: pass.backend)
    } else {
      let products: [3 of Compute.Product] = [
        (query.matrix, queries), (key.matrix, keys), (value.matrix, values),
      ]
      compute.multiply(
        products.span, by: workspace.hiddenActivations, backend: pass.backend)
    }
    query.addBias(to: queries, compute)
    key.addBias(to: keys, compute)
    value.addBias(to: values, compute)
    if let queryNorm {
      let heads = queries.heads(shape.heads, of: shape.headDimension)
      compute.rmsNorm(heads, weight: queryNorm, epsilon: epsilon, into: heads)
    }
    if let keyNorm {
      let heads = keys.heads(shape.keyValueHeads, of: shape.headDimension)
      compute.rmsNorm(heads, weight: keyNorm, epsilon: epsilon, into: heads)
    }
    let angles =
      shape.window == nil ? workspace.angles : workspace.localAngles ?? workspace.angles
    compute.rotate(
      queries, heads: shape.heads, headDimension: shape.headDimension, table: angles)
    compute.rotate(
      keys, heads: shape.keyValueHeads, headDimension: shape.headDimension, table: angles)
    compute.attend(
      queries, storing: keys, values, at: position, in: blocks, shape: shape,
      scratch: workspace.attention, into: attended)
    if outputGate != nil {
      compute.sigmoidMultiply(attended, gate: gates, into: attended)
    }
    compute.quantise(
      attended, for: outputs, into: workspace.attentionActivations, backend: pass.backend)
    let product: [1 of Compute.Product] = [(output.matrix, result)]
    compute.multiply(
      product.span, by: workspace.attentionActivations, mode: mode, backend: pass.backend)
  }
}

extension FloatRows {
  /// The same elements with a row for each head; rows must be contiguous.
  fileprivate func heads(_ count: Int, of dimension: Int) -> FloatRows {
    FloatRows(slab, offset: offset, rows: rows * count, columns: dimension)
  }
}
