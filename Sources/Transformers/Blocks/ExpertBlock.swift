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
    compute.multiply(
      [(router, logits)], by: pass.workspace.hiddenActivations, mode: .store,
      backend: pass.backend)
    if let shared {
      compute.multiply(
        [(shared.gate, FloatRows(buffers.sharedGate, rows: tokens, columns: 1))],
        by: pass.workspace.hiddenActivations, mode: .store, backend: pass.backend)
    }
    let choices = (0..<tokens).map { ExpertChoice(logits.elements(row: $0), shape) }
    let sum = FloatRows(buffers.sum, rows: tokens, columns: input.columns)
    sum.fill(0)
    for expert in experts.indices {
      visit(expert, choices, input, adding: sum, buffers, pass)
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
    _ expert: Int, _ choices: [ExpertChoice], _ input: FloatRows, adding sum: FloatRows,
    _ buffers: ExpertBuffers, _ pass: Pass
  ) {
    let visitors = choices.indices.compactMap { token in
      choices[token].weight(of: expert).map { (token: token, weight: $0) }
    }
    guard !visitors.isEmpty else { return }
    let rows = FloatRows(buffers.gathered, rows: visitors.count, columns: input.columns)
    for (row, visitor) in visitors.enumerated() {
      rows.rows(row..<row + 1).copy(from: input.rows(visitor.token..<visitor.token + 1))
    }
    let output = FloatRows(buffers.contribution, rows: visitors.count, columns: input.columns)
    experts[expert].apply(rows, into: output, mode: .store, pass: pass)
    for (row, visitor) in visitors.enumerated() {
      let contribution = output.rows(row..<row + 1)
      pass.compute.scale(contribution, by: visitor.weight)
      pass.compute.add(contribution, to: sum.rows(visitor.token..<visitor.token + 1))
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
