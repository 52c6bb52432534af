import Kernels

/// A mixture of experts: a router chooses some feed-forwards for each token.
///
/// Only the chosen experts' weights are read. A token's expert outputs are added in ascending order of
/// the expert, and ties of the router go to the lower index (rule N10). Shazeer et al. 2017,
/// arXiv:1701.06538.
struct ExpertBlock: Sendable {
  let router: PreparedMatrix
  let experts: [FeedForwardBlock]
  let shared: Shared?
  let shape: ExpertShape
  private let routerInputs: [PreparedMatrix]

  /// The expert that every token visits, and the gate that scales it.
  struct Shared: Sendable {
    let expert: FeedForwardBlock
    let gate: PreparedMatrix
  }

  init(
    router: PreparedMatrix, experts: [FeedForwardBlock], shared: Shared?, shape: ExpertShape
  ) {
    self.router = router
    self.experts = experts
    self.shared = shared
    self.shape = shape
    routerInputs = [router] + (shared.map { [$0.gate] } ?? [])
  }

  /// Bytes that one token reads at most: the router, the chosen experts, the shared one.
  var bytesReadPerToken: Int {
    let chosen = experts.map(\.byteCount).sorted(by: >).prefix(shape.active).reduce(0, +)
    return router.byteCount + chosen
      + (shared.map { $0.gate.byteCount + $0.expert.byteCount } ?? 0)
  }

  /// Adds the block's result to `result`, or stores it there; `input` is (token × hidden).
  func apply(_ input: FloatRows, into result: FloatRows, mode: MultiplyMode, pass: Pass) {
    guard let buffers = pass.workspace.experts else {
      preconditionFailure("a workspace of another model")
    }
    let compute = pass.compute
    let tokens = input.rows
    let logits = FloatRows(buffers.router, rows: tokens, columns: shape.count)
    compute.quantise(
      input, for: routerInputs, into: pass.workspace.hiddenActivations, backend: pass.backend)
    let product: [1 of Compute.Product] = [(router, logits)]
    compute.multiply(
      product.span, by: pass.workspace.hiddenActivations, backend: pass.backend)
    if let shared {
      let product: [1 of Compute.Product] = [
        (shared.gate, FloatRows(buffers.sharedGate, rows: tokens, columns: 1))
      ]
      compute.multiply(
        product.span, by: pass.workspace.hiddenActivations, backend: pass.backend)
    }
    for token in 0..<tokens { buffers.choices.choose(for: token, by: logits, shape) }
    let sum = FloatRows(buffers.sum, rows: tokens, columns: input.columns)
    sum.fill(0)
    for expert in experts.indices {
      visit(expert, input, adding: sum, buffers, pass)
      if compute.isCancelled { return }
    }
    if let shared {
      addShared(shared, input, to: sum, buffers, pass)
    }
    if mode == .store { result.fill(0) }
    compute.add(sum, to: result)
  }

  /// Takes the tokens that chose an expert through it.
  private func visit(
    _ expert: Int, _ input: FloatRows, adding sum: FloatRows, _ buffers: ExpertBuffers,
    _ pass: Pass
  ) {
    let gathered = FloatRows(buffers.gathered, rows: input.rows, columns: input.columns)
    var visitors = 0
    for token in 0..<input.rows where buffers.choices.weight(of: expert, for: token) != nil {
      gathered.rows(visitors..<visitors + 1).copy(from: input.rows(token..<token + 1))
      visitors += 1
    }
    guard visitors > 0 else { return }
    let output = FloatRows(buffers.contribution, rows: visitors, columns: input.columns)
    experts[expert].apply(gathered.rows(0..<visitors), into: output, mode: .store, pass: pass)
    var row = 0
    for token in 0..<input.rows {
      guard let weight = buffers.choices.weight(of: expert, for: token) else { continue }
      let contribution = output.rows(row..<row + 1)
      pass.compute.scale(contribution, by: weight)
      pass.compute.add(contribution, to: sum.rows(token..<token + 1))
      row += 1
    }
  }

  private func addShared(
    _ shared: Shared, _ input: FloatRows, to sum: FloatRows, _ buffers: ExpertBuffers,
    _ pass: Pass
  ) {
    let output = FloatRows(buffers.contribution, rows: input.rows, columns: input.columns)
    shared.expert.apply(input, into: output, mode: .store, pass: pass)
    for token in 0..<input.rows {
      let gate = Double(buffers.sharedGate[token])
      let contribution = output.rows(token..<token + 1)
      pass.compute.scale(
        contribution, by: Float(1 / (1 + ExactMath.exponential(-gate))))
      pass.compute.add(contribution, to: sum.rows(token..<token + 1))
    }
  }
}
