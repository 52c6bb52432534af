import Kernels

/// Prints the line of one format.
func measure(
  _ name: String, _ format: MatrixFormat, _ options: Options, _ compute: Compute
) throws {
  let columns = options.columns
  let rowBytes = try PreparedMatrix.byteCount(rows: 16, columns: columns, format: format) / 16
  let rows = options.megabytes * 1_000_000 / rowBytes / 16 * 16
  let source = PatternSource(rows: rows, columns: columns, format: format)
  var prepared: PreparedMatrix?
  let preparation = try ContinuousClock().measure {
    prepared = try PreparedMatrix.prepare(source, compute: compute)
  }
  guard let matrix = prepared else { return }
  let weights = Double(rows * columns)
  let one = seconds(matrix, tokens: 1, compute)
  var line = "| \(name) | \(fixed(weights / preparation.seconds / 1e9)) "
  line +=
    "| \(fixed(Double(matrix.bytesReadPerToken) / one / 1e9)) | \(fixed(weights / one / 1e9)) "
  prepared = nil
  let manyRows = min(rows, 4_096)
  let small = try PreparedMatrix.prepare(
    PatternSource(rows: manyRows, columns: columns, format: format), compute: compute)
  let many = seconds(small, tokens: options.tokens, compute)
  line += "| \(fixed(Double(manyRows * columns * options.tokens) / many / 1e9)) |"
  print(line)
}

/// The best time of a product, quantisation included.
private func seconds(_ matrix: PreparedMatrix, tokens: Int, _ compute: Compute) -> Double {
  let columns = matrix.columns
  let input = FloatRows(Slab(count: tokens * columns), rows: tokens, columns: columns)
  for token in 0..<tokens {
    for column in 0..<columns {
      input[token, column] = Float((column * 37 + token * 11) % 201 - 100) / 50
    }
  }
  let output = FloatRows(Slab(count: tokens * matrix.rows), rows: tokens, columns: matrix.rows)
  let activations = Activations(capacity: tokens, columns: columns)
  let matrices = [matrix]
  let products = [(matrix, output)]
  let clock = ContinuousClock()
  var best = Duration.seconds(1_000_000)
  let start = clock.now
  var count = 0
  while count < 4 || (clock.now - start < .milliseconds(250) && count < 200) {
    let time = clock.measure {
      compute.quantise(input, for: matrices, into: activations, backend: .simd)
      compute.multiply(products.span, by: activations, backend: .simd)
    }
    best = min(best, time)
    count += 1
  }
  return best.seconds
}

/// Prints what quantisation alone costs.
func measureQuantisation(_ options: Options, _ compute: Compute) throws {
  let columns = options.columns
  for group in [32, 16] {
    let format = MatrixFormat.grouped(bits: 4, group: group, scale: .float16, zero: .symmetric(8))
    let matrices = [
      try PreparedMatrix.prepare(
        PatternSource(rows: 16, columns: columns, format: format), compute: compute)
    ]
    for tokens in [1, options.tokens] {
      let input = FloatRows(Slab(count: tokens * columns), rows: tokens, columns: columns)
      for token in 0..<tokens {
        for column in 0..<columns {
          input[token, column] = Float((column * 37 + token * 11) % 201 - 100) / 50
        }
      }
      let activations = Activations(capacity: tokens, columns: columns)
      var best = Duration.seconds(1_000_000)
      for _ in 0..<2_000 {
        best = min(
          best,
          ContinuousClock().measure {
            compute.quantise(input, for: matrices, into: activations, backend: .simd)
          })
      }
      print(
        "quantise \(tokens) × \(columns) in groups of \(group): "
          + "\(fixed(best.seconds * 1e9 / Double(tokens))) ns a token")
    }
  }
}

extension Duration {
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}

/// A number with one decimal.
func fixed(_ value: Double) -> String {
  let tenths = Int((value * 10).rounded())
  return "\(tenths / 10).\(tenths % 10)"
}
