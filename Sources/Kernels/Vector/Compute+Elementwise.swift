extension Compute {
  /// target = target + x.
  package func add(_ x: FloatRows, to target: FloatRows) {
    precondition(x.rows == target.rows && x.columns == target.columns)
    run(
      rows: x.rows, columns: x.columns,
      Addition(compute: self, x: x, target: target))
  }

  /// x = x · factor.
  package func scale(_ x: FloatRows, by factor: Float) {
    run(
      rows: x.rows, columns: x.columns,
      Scaling(compute: self, x: x, factor: factor))
  }

  /// target = silu(gate) · up; the target may be either of them.
  package func siluMultiply(gate: FloatRows, up: FloatRows, into target: FloatRows) {
    multiply(.silu, gate, up, target)
  }

  /// target = gelu(gate) · up, with the tanh form of gelu; the target may be either of them.
  package func geluTanhMultiply(gate: FloatRows, up: FloatRows, into target: FloatRows) {
    multiply(.gelu, gate, up, target)
  }

  /// target = x · sigmoid(gate); the target may be either of them.
  ///
  /// The columns of x are `heads` runs one after another; those of the gate are `gateHeadStride`
  /// apart (as many as a run has, by default), so `gate` may begin inside a projection that holds
  /// the query and the gate of each head side by side.
  package func sigmoidMultiply(
    _ x: FloatRows, gate: FloatRows, heads: Int = 1, gateHeadStride: Int? = nil,
    into target: FloatRows
  ) {
    precondition(heads > 0 && x.columns.isMultiple(of: heads))
    let width = x.columns / heads
    let stride = gateHeadStride ?? width
    precondition(stride >= width && gate.columns >= (heads - 1) * stride + width)
    precondition(x.rows == target.rows && x.rows == gate.rows && x.columns == target.columns)
    run(
      rows: x.rows, columns: x.columns,
      Gating(
        compute: self, activation: .sigmoid, gate: gate, x: x, target: target,
        heads: heads, width: width, gateHeadStride: stride))
  }

  private func multiply(
    _ activation: Activation, _ gate: FloatRows, _ x: FloatRows, _ target: FloatRows
  ) {
    precondition(gate.rows == x.rows && gate.columns == x.columns)
    precondition(gate.rows == target.rows && gate.columns == target.columns)
    run(
      rows: x.rows, columns: x.columns,
      Gating(
        compute: self, activation: activation, gate: gate, x: x, target: target, heads: 1,
        width: x.columns,
        gateHeadStride: x.columns))
  }
}

private enum Activation {
  case silu
  case gelu
  case sigmoid
}

private struct Addition: ParallelWork {
  let compute: Compute
  let x: FloatRows
  let target: FloatRows

  func perform(_ items: Range<Int>, worker: Int) {
    for row in items {
      unsafe compute.kernels.vector.add(
        x.pointer(row: row), target.pointer(row: row), x.columns)
    }
  }
}

private struct Scaling: ParallelWork {
  let compute: Compute
  let x: FloatRows
  let factor: Float

  func perform(_ items: Range<Int>, worker: Int) {
    for row in items {
      unsafe compute.kernels.vector.scale(x.pointer(row: row), factor, x.columns)
    }
  }
}

private struct Gating: ParallelWork {
  let compute: Compute
  let activation: Activation
  let gate: FloatRows
  let x: FloatRows
  let target: FloatRows
  let heads: Int
  let width: Int
  let gateHeadStride: Int

  func perform(_ items: Range<Int>, worker: Int) {
    for row in items {
      for head in 0..<heads {
        let gate = unsafe gate.pointer(row: row) + head * gateHeadStride
        let x = unsafe x.pointer(row: row) + head * width
        let target = unsafe target.pointer(row: row) + head * width
        switch activation {
        case .silu: unsafe compute.kernels.vector.multiplySiLU(gate, x, target, width)
        case .gelu: unsafe compute.kernels.vector.multiplyGELU(gate, x, target, width)
        case .sigmoid: unsafe compute.kernels.vector.multiplySigmoid(gate, x, target, width)
        }
      }
    }
  }
}
