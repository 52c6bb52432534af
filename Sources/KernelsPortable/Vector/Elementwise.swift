// Operations on `count` elements each; a target may be one of the sources.

/// target = target + source.
package func add(
  _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int
) {
  var index = 0
  while index < count {
    let lanes = min16(count &- index)
    let total = add(load(target + index, count: lanes), load(source + index, count: lanes))
    store(total, target + index, count: lanes)
    index &+= 16
  }
}

/// x = x · factor.
package func scale(_ x: UnsafeMutablePointer<Float>, by factor: Float, count: Int) {
  var index = 0
  while index < count {
    let lanes = min16(count &- index)
    store(multiply(load(x + index, count: lanes), splat(factor)), x + index, count: lanes)
    index &+= 16
  }
}

/// target = silu(gate) · up.
package func multiplySiLU(
  gate: UnsafePointer<Float>, up: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>,
  count: Int
) {
  var index = 0
  while index < count {
    let lanes = min16(count &- index)
    let gated = multiply(silu(load(gate + index, count: lanes)), load(up + index, count: lanes))
    store(gated, target + index, count: lanes)
    index &+= 16
  }
}

/// target = gelu(gate) · up, with the tanh form of gelu.
package func multiplyGELU(
  gate: UnsafePointer<Float>, up: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>,
  count: Int
) {
  var index = 0
  while index < count {
    let lanes = min16(count &- index)
    let gated = multiply(
      geluTanh(load(gate + index, count: lanes)), load(up + index, count: lanes))
    store(gated, target + index, count: lanes)
    index &+= 16
  }
}

/// target = sigmoid(gate) · x.
package func multiplySigmoid(
  gate: UnsafePointer<Float>, x: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>,
  count: Int
) {
  var index = 0
  while index < count {
    let lanes = min16(count &- index)
    let gated = multiply(
      sigmoid(load(gate + index, count: lanes)), load(x + index, count: lanes))
    store(gated, target + index, count: lanes)
    index &+= 16
  }
}

/// target = e^source.
package func exponentials(
  _ source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>, count: Int
) {
  var index = 0
  while index < count {
    let lanes = min16(count &- index)
    store(exponential(load(source + index, count: lanes)), target + index, count: lanes)
    index &+= 16
  }
}
