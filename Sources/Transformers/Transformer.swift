package import Kernels

/// A decoder-only transformer, ready to run.
///
/// The logits of a position are the same bits however the tokens before it were fed: whole, in
/// chunks, one by one, on any number of threads and with any instruction set (the SIMD backend; see
/// ARCHITECTURE.md, "Numbers").
package final class Transformer: Sendable {
  package let configuration: ModelConfiguration
  package let compute: Compute
  let embedding: PreparedMatrix
  let embeddingScale: Float?
  let layers: [Layer]
  let outputNorm: Slab<Float>
  /// The embedding itself where the two are tied.
  let output: PreparedMatrix
  private let outputs: [PreparedMatrix]

  init(
    configuration: ModelConfiguration, compute: Compute, embedding: PreparedMatrix,
    embeddingScale: Float?, layers: [Layer], outputNorm: Slab<Float>, output: PreparedMatrix
  ) {
    self.configuration = configuration
    self.compute = compute
    self.embedding = embedding
    self.embeddingScale = embeddingScale
    self.layers = layers
    self.outputNorm = outputNorm
    self.output = output
    outputs = [output]
  }

  /// A state that has read nothing, for at most `context` positions.
  package func emptyState(context: Int, keysAndValues type: KVType) -> ModelState {
    ModelState(configuration, context: context, type: type)
  }

  /// Bytes of weights that decoding one token reads: every matrix but a separate embedding, of which
  /// it is one row.
  package var weightBytesPerToken: Int {
    layers.reduce(output.bytesReadPerToken) { $0 + $1.bytesReadPerToken }
  }

  /// Which positions' logits a pass is to give.
  package enum Logits {
    case none
    case last
    case all
  }

  /// Reads `tokens` after what `state` holds.
  ///
  /// There may be at most as many tokens as the workspace's capacity; `state` grows by them. When
  /// this throws, the state is as before, or empty if it could not be taken back. `body` is called with the absolute position of the first row and
  /// the rows of logits (positions × vocabulary) that were asked for, ascending, some at a time;
  /// they stay as they are until the workspace's next use.
  ///
  /// - Throws: ``ModelError`` for tokens outside the vocabulary, a context that is too small, logits
  ///   that are not finite, or cancellation.
  package func read(
    _ tokens: ArraySlice<Int32>, state: inout ModelState, workspace: Workspace,
    backend: MatmulBackend, logits: Logits,
    _ body: (_ position: Int, _ rows: FloatRows) throws -> Void
  ) throws {
    precondition(!tokens.isEmpty && tokens.count <= workspace.capacity)
    for token in tokens where token < 0 || Int(token) >= embedding.rows {
      throw ModelError.tokenOutOfRange(Int(token), vocabulary: embedding.rows)
    }
    let start = state.position
    let pass = Pass(compute: compute, workspace: workspace, backend: backend)
    // A delta net's memory cannot be rewound: what a failed chunk leaves is replaced by a copy made
    // before it. A single token is seen through to its end instead.
    let backup = state.keepsEveryPass || tokens.count == 1 ? nil : state
    let isCancellable = state.keepsEveryPass || backup != nil
    let cancellation = compute.pool.cancellation
    if !isCancellable { compute.pool.cancellation = nil }
    defer { compute.pool.cancellation = cancellation }
    try state.reserve(tokens.count)
    do {
      let hidden = embed(tokens, pass: pass)
      workspace.angles.prepare(positions: start..<start + tokens.count)
      workspace.localAngles?.prepare(positions: start..<start + tokens.count)
      for (layer, layerState) in zip(layers, state.layers) {
        layer.apply(hidden, state: layerState, at: start, pass: pass)
        if compute.isCancelled { throw ModelError.cancelled }
      }
      try giveLogits(logits, of: hidden, from: start, pass: pass, body)
    } catch {
      if let backup { state = backup } else { state.discard(after: start) }
      throw error
    }
    state.advance(tokens.count)
  }

  private func embed(_ tokens: ArraySlice<Int32>, pass: Pass) -> FloatRows {
    let hidden = FloatRows(
      pass.workspace.hidden, rows: tokens.count, columns: configuration.hiddenSize)
    for (row, token) in tokens.enumerated() {
      compute.lookUp(embedding, row: Int(token), into: hidden, outRow: row)
    }
    if let embeddingScale {
      compute.scale(hidden, by: embeddingScale)
    }
    return hidden
  }

  private func giveLogits(
    _ logits: Logits, of hidden: FloatRows, from start: Int, pass: Pass,
    _ body: (_ position: Int, _ rows: FloatRows) throws -> Void
  ) throws {
    let wanted: Range<Int>
    switch logits {
    case .none: return
    case .last: wanted = hidden.rows - 1..<hidden.rows
    case .all: wanted = 0..<hidden.rows
    }
    let step = min(pass.workspace.capacity, Workspace.logitRows)
    for first in stride(from: wanted.lowerBound, to: wanted.upperBound, by: step) {
      let count = min(step, wanted.upperBound - first)
      let normed = FloatRows(pass.workspace.normed, rows: count, columns: hidden.columns)
      compute.rmsNorm(
        hidden.rows(first..<first + count), weight: outputNorm,
        epsilon: configuration.normEpsilon, into: normed)
      compute.quantise(
        normed, for: outputs, into: pass.workspace.hiddenActivations, backend: pass.backend)
      let rows = FloatRows(
        pass.workspace.logits, rows: count, columns: configuration.vocabularySize)
      let product: [1 of Compute.Product] = [(output, rows)]
      compute.multiply(
        product.span, by: pass.workspace.hiddenActivations, backend: pass.backend)
      if compute.isCancelled { throw ModelError.cancelled }
      try body(start + first, rows)
    }
  }
}
