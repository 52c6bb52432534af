import Kernels

/// A gated delta net: a causal convolution, then the delta rule on a matrix of memory per head, token
/// by token (rule N9).
///
/// Yang et al. 2024, arXiv:2412.06464.
struct DeltaNetBlock: Sendable {
  let input, gate, beta, alpha, output: PreparedMatrix
  /// (tap × channel), the last row the current token's.
  let convolution: Slab<Float>
  /// −e^A per value head.
  let rates: Slab<Float>
  let timeBiases: Slab<Float>
  /// Norm weights over a head's values.
  let norm: Slab<Float>
  let shape: DeltaNetShape
  let epsilon: Float

  let inputs, outputs: [PreparedMatrix]

  init(
    input: PreparedMatrix, gate: PreparedMatrix, beta: PreparedMatrix, alpha: PreparedMatrix,
    output: PreparedMatrix, convolution: Slab<Float>, rates: Slab<Float>,
    timeBiases: Slab<Float>, norm: Slab<Float>, shape: DeltaNetShape, epsilon: Float
  ) {
    (self.input, self.gate, self.beta, self.alpha) = (input, gate, beta, alpha)
    self.output = output
    self.convolution = convolution
    (self.rates, self.timeBiases, self.norm) = (rates, timeBiases, norm)
    (self.shape, self.epsilon) = (shape, epsilon)
    inputs = [input, gate, beta, alpha]
    outputs = [output]
  }

  /// What is added to the sum of squares of queries and keys.
  private static let lengthEpsilon: Float = 1e-6

  /// Adds the block's result to `result`, or stores it there; `x` is (token × hidden) and `memory`
  /// moves on by its tokens.
  func apply(
    _ x: FloatRows, memory: DeltaNetState, into result: FloatRows, mode: MultiplyMode, pass: Pass
  ) {
    let compute = pass.compute
    guard let buffers = pass.workspace.deltaNet else {
      preconditionFailure("a workspace of another model")
    }
    let tokens = x.rows
    let projected = FloatRows(buffers.projected, rows: tokens, columns: shape.channels)
    let mixed = FloatRows(buffers.mixed, rows: tokens, columns: shape.channels)
    let gates = FloatRows(buffers.gate, rows: tokens, columns: shape.valueWidth)
    let values = FloatRows(buffers.values, rows: tokens, columns: shape.valueWidth)
    let betas = FloatRows(buffers.beta, rows: tokens, columns: shape.valueHeads)
    let alphas = FloatRows(buffers.alpha, rows: tokens, columns: shape.valueHeads)

    compute.quantise(
      x, for: inputs, into: pass.workspace.hiddenActivations, backend: pass.backend)
    let products: [4 of Compute.Product] = [
      (input, projected), (gate, gates), (beta, betas), (alpha, alphas),
    ]
    compute.multiply(
      products.span, by: pass.workspace.hiddenActivations, backend: pass.backend)
    compute.convolve(projected, weights: convolution, state: memory, into: mixed)
    compute.normaliseLength(
      mixed.columns(0..<shape.keyWidth), heads: shape.keyHeads, epsilon: Self.lengthEpsilon,
      scale: 1 / Float(shape.keyDimension).squareRoot())
    compute.normaliseLength(
      mixed.columns(shape.keyWidth..<2 * shape.keyWidth), heads: shape.keyHeads,
      epsilon: Self.lengthEpsilon, scale: 1)
    compute.deltaGates(
      a: alphas, b: betas, rates: rates, biases: timeBiases, decays: alphas, steps: betas)
    compute.deltaRule(mixed, decays: alphas, steps: betas, state: memory, into: values)
    let heads = FloatRows(
      buffers.values, rows: tokens * shape.valueHeads, columns: shape.valueDimension)
    compute.rmsNorm(heads, weight: norm, epsilon: epsilon, into: heads)
    compute.siluMultiply(gate: gates, up: values, into: values)
    compute.quantise(
      values, for: outputs, into: buffers.activations, backend: pass.backend)
    let product: [1 of Compute.Product] = [(output, result)]
    compute.multiply(
      product.span, by: buffers.activations, mode: mode, backend: pass.backend)
  }
}
