import Foundation
import Kernels
import Testing

/// The inputs of one gated delta net layer.
private struct DeltaNetFixture {
  let shape: DeltaNetShape
  let inputs: FloatRows
  let a: FloatRows
  let b: FloatRows
  let weights: Slab<Float>
  let rates: Slab<Float>
  let biases: Slab<Float>

  init(_ shape: DeltaNetShape, tokens: Int) {
    self.shape = shape
    inputs = .random(rows: tokens, columns: shape.channels, stride: shape.channels + 3, seed: 40)
    a = .random(rows: tokens, columns: shape.valueHeads, seed: 41)
    b = .random(rows: tokens, columns: shape.valueHeads, stride: shape.valueHeads + 1, seed: 42)
    weights = Slab(FloatRows.random(rows: 4, columns: shape.channels, seed: 43).elements)
    rates = Slab(
      FloatRows.random(rows: 1, columns: shape.valueHeads, seed: 44, -3 ... -0.01).elements)
    biases = Slab(FloatRows.random(rows: 1, columns: shape.valueHeads, seed: 45).elements)
  }

  func run(_ compute: Compute, chunks: [Int], state: DeltaNetState) -> [Float] {
    var result: [Float] = []
    var first = 0
    for count in chunks {
      let rows = first..<first + count
      func scratch(_ columns: Int) -> FloatRows {
        FloatRows(Slab(count: count * columns), rows: count, columns: columns)
      }
      let mixed = scratch(shape.channels)
      let decays = scratch(shape.valueHeads)
      let steps = scratch(shape.valueHeads)
      let output = scratch(shape.valueWidth)
      compute.convolve(inputs.rows(rows), weights: weights, state: state, into: mixed)
      compute.normaliseLength(
        mixed.columns(0..<shape.keyWidth), heads: shape.keyHeads, epsilon: 1e-6,
        scale: 1 / Float(shape.keyDimension).squareRoot())
      compute.normaliseLength(
        mixed.columns(shape.keyWidth..<2 * shape.keyWidth), heads: shape.keyHeads,
        epsilon: 1e-6, scale: 1)
      compute.deltaGates(
        a: a.rows(rows), b: b.rows(rows), rates: rates, biases: biases, decays: decays,
        steps: steps)
      compute.deltaRule(mixed, decays: decays, steps: steps, state: state, into: output)
      result += output.elements
      first += count
    }
    return result
  }

  /// The layer in float64, written out.
  var truth: [Double] {
    var memory = [[[Double]]](
      repeating: [[Double]](
        repeating: [Double](repeating: 0, count: shape.keyDimension),
        count: shape.valueDimension), count: shape.valueHeads)
    var result: [Double] = []
    for token in 0..<inputs.rows {
      let mixed = (0..<shape.channels).map { channel in
        var total = 0.0
        for tap in max(0, 3 - token)..<4 {
          total +=
            Double(weights[tap * shape.channels + channel])
            * Double(inputs[token + tap - 3, channel])
        }
        return total / (1 + exp(-total))
      }
      for head in 0..<shape.valueHeads {
        let ratio = shape.valueHeads / shape.keyHeads
        let keyHead = shape.headOrder == .grouped ? head / ratio : head % shape.keyHeads
        func unit(_ start: Int) -> [Double] {
          let x = mixed[
            start + keyHead * shape.keyDimension..<start + (keyHead + 1) * shape.keyDimension]
          let length = (x.reduce(0) { $0 + $1 * $1 } + 1e-6).squareRoot()
          return x.map { $0 / length }
        }
        let query = unit(0).map { $0 / Double(shape.keyDimension).squareRoot() }
        let key = unit(shape.keyWidth)
        let step = 1 / (1 + exp(-Double(b[token, head])))
        let decay = exp(
          Double(rates[head]) * log1p(exp(Double(a[token, head]) + Double(biases[head]))))
        for row in 0..<shape.valueDimension {
          let value = mixed[2 * shape.keyWidth + head * shape.valueDimension + row]
          var state = memory[head][row].map { $0 * decay }
          let read = zip(state, key).reduce(0) { $0 + $1.0 * $1.1 }
          state = zip(state, key).map { $0 + step * (value - read) * $1 }
          memory[head][row] = state
          result.append(zip(state, query).reduce(0) { $0 + $1.0 * $1.1 })
        }
      }
    }
    return result
  }
}

@Suite struct DeltaNetTests {
  static let shapes = [
    DeltaNetShape(
      keyHeads: 2, valueHeads: 4, keyDimension: 16, valueDimension: 16, headOrder: .grouped),
    DeltaNetShape(
      keyHeads: 2, valueHeads: 6, keyDimension: 12, valueDimension: 20, headOrder: .tiled),
    DeltaNetShape(
      keyHeads: 1, valueHeads: 1, keyDimension: 128, valueDimension: 128, headOrder: .tiled),
    DeltaNetShape(
      keyHeads: 3, valueHeads: 3, keyDimension: 5, valueDimension: 70, headOrder: .grouped),
  ]

  @Test(arguments: shapes)
  func followsTheRecurrence(shape: DeltaNetShape) throws {
    let fixture = DeltaNetFixture(shape, tokens: 20)
    let result = fixture.run(
      try Compute(threads: 1), chunks: [20], state: DeltaNetState(shape))
    let worst = zip(result, fixture.truth).map { abs(Double($0) - $1) }.max() ?? .infinity
    #expect(worst < 2e-6, "\(worst)")
  }

  @Test(arguments: shapes)
  func theBitsDependOnNothingButTheTokens(shape: DeltaNetShape) throws {
    let fixture = DeltaNetFixture(shape, tokens: 20)
    let first = DeltaNetState(shape)
    let truth = bitPatterns(
      fixture.run(
        try Compute(threads: 1, instructionSet: .portable), chunks: [20], state: first))
    for threads in 1...3 {
      for compute in try computes(threads: threads) {
        for chunks in [[20], [Int](repeating: 1, count: 20), [1, 2, 3, 14], [2, 18]] {
          let state = DeltaNetState(shape)
          #expect(bitPatterns(fixture.run(compute, chunks: chunks, state: state)) == truth)
          #expect(content(state) == content(first))
        }
      }
    }
  }

  @Test func aCopyGoesOnAsTheOriginalWould() throws {
    let shape = Self.shapes[0]
    let compute = try Compute(threads: 1)
    let fixture = DeltaNetFixture(shape, tokens: 10)
    let state = DeltaNetState(shape)
    let first = fixture.run(compute, chunks: [10], state: state)
    let copy = state.copy()
    let second = fixture.run(compute, chunks: [10], state: state)
    #expect(second != first)
    #expect(fixture.run(compute, chunks: [4, 6], state: copy) == second)
    state.reset()
    #expect(fixture.run(compute, chunks: [10], state: state) == first)
    #expect(state.byteCount == DeltaNetState.byteCount(shape))
  }

  private func content(_ state: DeltaNetState) -> [[UInt8]] {
    unsafe state.withMutableBytes { rows, memory in
      unsafe [Array(rows), Array(memory)]
    }
  }
}
