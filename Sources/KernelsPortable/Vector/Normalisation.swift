/// Σ x², in sixteen partial sums.
@inline(__always) private func sumOfSquares(_ x: UnsafePointer<Float>, count: Int) -> Float {
  var partial = zeros()
  var index = 0
  while index < count {
    let lanes = load(x + index, count: min16(count &- index))
    partial = add(partial, multiply(lanes, lanes))
    index &+= 16
  }
  return sum(partial)
}

/// target = x / √(mean x² + epsilon) · weight.
package func normalise(
  _ x: UnsafePointer<Float>, weight: UnsafePointer<Float>, epsilon: Float,
  _ target: UnsafeMutablePointer<Float>, count: Int
) {
  let mean = sumOfSquares(x, count: count) / Float(count)
  let factor = splat(1 / (mean + epsilon).squareRoot())
  var index = 0
  while index < count {
    let lanes = min16(count &- index)
    let scaled = multiply(load(x + index, count: lanes), factor)
    store(multiply(scaled, load(weight + index, count: lanes)), target + index, count: lanes)
    index &+= 16
  }
}

/// target = x / √(Σ x² + epsilon) · scale.
package func normaliseLength(
  _ x: UnsafePointer<Float>, epsilon: Float, scale: Float,
  _ target: UnsafeMutablePointer<Float>, count: Int
) {
  let total = sumOfSquares(x, count: count)
  let factor = splat(1 / (total + epsilon).squareRoot())
  var index = 0
  while index < count {
    let lanes = min16(count &- index)
    let unit = multiply(load(x + index, count: lanes), factor)
    store(multiply(unit, splat(scale)), target + index, count: lanes)
    index &+= 16
  }
}
