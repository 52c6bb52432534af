import Kernels

/// The products of a small model, layer by layer as a forward pass makes them, and nothing else:
/// shows what regions and small matrices cost beside `measure`'s one big matrix.
struct ModelProducts {
  /// Matrices that share an input.
  private struct Step {
    let matrices: [PreparedMatrix]
    let input: FloatRows
    let activations: Activations
    let products: [(PreparedMatrix, FloatRows)]
  }

  private let tokens: Int
  private var steps: [Step] = []
  private(set) var weights = 0
  private(set) var bytes = 0

  /// The shapes of SmolLM2-135M.
  init(tokens: Int, format: MatrixFormat, compute: Compute) throws {
    self.tokens = tokens
    for _ in 0..<30 {
      try add(columns: 576, rows: [576, 192, 192], format, compute)
      try add(columns: 576, rows: [576], format, compute)
      try add(columns: 576, rows: [1_536, 1_536], format, compute)
      try add(columns: 1_536, rows: [576], format, compute)
    }
    if tokens == 1 {
      try add(columns: 576, rows: [49_152], format, compute)
    }
  }

  private mutating func add(
    columns: Int, rows: [Int], _ format: MatrixFormat, _ compute: Compute
  ) throws {
    let matrices = try rows.map {
      try PreparedMatrix.prepare(
        PatternSource(rows: $0, columns: columns, format: format), compute: compute)
    }
    let input = FloatRows(Slab(count: tokens * columns), rows: tokens, columns: columns)
    for token in 0..<tokens {
      for column in 0..<columns {
        input[token, column] = Float((column * 37 + token * 11) % 201 - 100) / 50
      }
    }
    let products = matrices.map {
      ($0, FloatRows(Slab(count: tokens * $0.rows), rows: tokens, columns: $0.rows))
    }
    weights += matrices.reduce(0) { $0 + $1.rows * $1.columns }
    bytes += matrices.reduce(0) { $0 + $1.bytesReadPerToken }
    steps.append(
      Step(
        matrices: matrices, input: input,
        activations: Activations(capacity: tokens, columns: columns), products: products))
  }

  /// Every product once.
  func pass(_ compute: Compute) {
    for step in steps {
      compute.quantise(
        step.input, for: step.matrices, into: step.activations, backend: .simd)
      compute.multiply(step.products.span, by: step.activations, backend: .simd)
    }
  }
}

/// Prints the speed of a small model's products in one format.
func measureModel(_ name: String, _ format: MatrixFormat, _ compute: Compute) throws {
  var line = "| \(name) "
  for tokens in [1, 2, 4, 8, 64, 256] {
    let model = try ModelProducts(tokens: tokens, format: format, compute: compute)
    model.pass(compute)
    var best = Duration.seconds(1_000_000)
    for _ in 0..<20 {
      best = min(best, ContinuousClock().measure { model.pass(compute) })
    }
    let macs = Double(model.weights * tokens) / best.seconds / 1e9
    line += "| \(fixed(best.seconds * 1e3)) ms, \(fixed(macs)) Gmac/s "
    if tokens == 1 {
      line += "(\(fixed(Double(model.bytes) / best.seconds / 1e9)) GB/s) "
    }
  }
  print(line + "|")
}
