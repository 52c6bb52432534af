import KernelTypes
import KernelsPortable

extension Compute {
  /// target = silu of the causal depthwise convolution of x over time; the state moves on.
  ///
  /// x and target are tokens × channels and must not overlap. The weights are (4, channels), the
  /// last row being the current token's.
  package func convolve(
    _ x: FloatRows, weights: Slab<Float>, state: DeltaNetState, into target: FloatRows
  ) {
    let channels = state.shape.channels
    precondition(x.columns == channels && target.columns == channels && x.rows == target.rows)
    precondition(weights.count == DeltaNetShape.taps * channels)
    run(
      rows: x.rows, columns: channels,
      Convolution(compute: self, x: x, weights: weights, state: state, target: target))
    for row in 0..<DeltaNetShape.taps - 1 {
      // In ascending order, so that a short chunk moves the older rows down first.
      unsafe (state.rows.base + row * channels).update(
        from: Convolution.row(x.rows + row - (DeltaNetShape.taps - 1), x, state),
        count: channels)
    }
  }

  /// Divides each of `heads` runs of the columns by √(Σ x² + epsilon) and multiplies it by a scale.
  package func normaliseLength(
    _ x: FloatRows, heads: Int, epsilon: Float, scale: Float
  ) {
    precondition(heads > 0 && x.columns.isMultiple(of: heads))
    run(
      rows: x.rows, columns: x.columns,
      LengthNormalisation(compute: self, x: x, heads: heads, epsilon: epsilon, scale: scale))
  }

  /// decay = e^(rate · softplus(a + bias)) and step = sigmoid(b), per token and value head.
  ///
  /// The rate is −e^A_log. All is computed in float64 and rounded once.
  package func deltaGates(
    a: FloatRows, b: FloatRows, rates: Slab<Float>, biases: Slab<Float>, decays: FloatRows,
    steps: FloatRows
  ) {
    precondition(a.columns == rates.count && a.columns == biases.count)
    precondition(a.columns == b.columns && a.rows == b.rows)
    precondition(a.columns == decays.columns && a.rows == decays.rows)
    precondition(a.columns == steps.columns && a.rows == steps.rows)
    for row in 0..<a.rows {
      for head in 0..<a.columns {
        let time = KernelsPortable.softplus(Double(a[row, head]) + Double(biases[head]))
        decays[row, head] = Float(KernelsPortable.exponential(Double(rates[head]) * time))
        steps[row, head] = Float(1 / (1 + KernelsPortable.exponential(-Double(b[row, head]))))
      }
    }
  }

  /// Takes the state through the tokens of a chunk, one by one.
  ///
  /// `inputs` are tokens × channels after convolution and length normalisation, decays and steps
  /// tokens × valueHeads, the target tokens × valueWidth.
  package func deltaRule(
    _ inputs: FloatRows, decays: FloatRows, steps: FloatRows, state: DeltaNetState,
    into target: FloatRows
  ) {
    let shape = state.shape
    precondition(inputs.columns == shape.channels && target.columns == shape.valueWidth)
    precondition(decays.columns == shape.valueHeads && steps.columns == shape.valueHeads)
    precondition(inputs.rows == target.rows && inputs.rows == decays.rows)
    precondition(inputs.rows == steps.rows && decays.stride == steps.stride)
    let work = DeltaRule(
      compute: self, inputs: inputs, decays: decays, steps: steps, state: state, target: target)
    pool.run(shape.valueHeads * shape.slicesPerHead, work)
  }
}

private struct Convolution: ParallelWork {
  let compute: Compute
  let x: FloatRows
  let weights: Slab<Float>
  let state: DeltaNetState
  let target: FloatRows

  /// Row −3 is the oldest that the state remembers.
  static func row(_ index: Int, _ x: FloatRows, _ state: DeltaNetState)
    -> UnsafeMutablePointer<Float>
  {
    index >= 0
      ? unsafe x.pointer(row: index)
      : unsafe state.rows.base + (index + DeltaNetShape.taps - 1) * state.shape.channels
  }

  func perform(_ items: Range<Int>, worker: Int) {
    for row in items {
      unsafe compute.kernels.vector.convolve(
        Self.row(row - 3, x, state), Self.row(row - 2, x, state), Self.row(row - 1, x, state),
        x.pointer(row: row), weights.base, x.columns, target.pointer(row: row), x.columns)
    }
  }
}

private struct LengthNormalisation: ParallelWork {
  let compute: Compute
  let x: FloatRows
  let heads: Int
  let epsilon: Float
  let scale: Float

  func perform(_ items: Range<Int>, worker: Int) {
    let width = x.columns / heads
    for row in items {
      for head in 0..<heads {
        let elements = unsafe x.pointer(row: row) + head * width
        unsafe compute.kernels.vector.normaliseLength(
          elements, epsilon, scale, elements, width)
      }
    }
  }
}

/// Item = value head × slices + slice.
private struct DeltaRule: ParallelWork {
  let compute: Compute
  let inputs: FloatRows
  let decays: FloatRows
  let steps: FloatRows
  let state: DeltaNetState
  let target: FloatRows

  func perform(_ items: Range<Int>, worker: Int) {
    let shape = state.shape
    for item in items {
      let head = item / shape.slicesPerHead
      let row = item % shape.slicesPerHead * DeltaNetShape.sliceRows
      let keyColumn = shape.keyHead(of: head) * shape.keyDimension
      let valueColumn = head * shape.valueDimension + row
      let input = unsafe inputs.pointer(row: 0)
      var slice = unsafe DeltaRuleSlice(
        queries: input + keyColumn, keys: input + shape.keyWidth + keyColumn,
        values: input + 2 * shape.keyWidth + valueColumn, inputStride: inputs.stride,
        tokens: inputs.rows, keyDimension: shape.keyDimension,
        lanes: min(DeltaNetShape.sliceRows, shape.valueDimension - row),
        state: state.memory.base + item * shape.keyDimension * DeltaNetShape.sliceRows,
        decays: decays.pointer(row: 0) + head,
        steps: steps.pointer(row: 0) + head, gateStride: decays.stride,
        outputs: target.pointer(row: 0) + valueColumn, outputStride: target.stride)
      unsafe compute.kernels.vector.applyDeltaRule(&slice)
    }
  }
}
