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
  multiply(gate: gate, up, target, count, silu)
}

/// target = gelu(gate) · up, with the tanh form of gelu.
package func multiplyGELU(
  gate: UnsafePointer<Float>, up: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>,
  count: Int
) {
  multiply(gate: gate, up, target, count, geluTanh)
}

/// target = sigmoid(gate) · x.
package func multiplySigmoid(
  gate: UnsafePointer<Float>, x: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>,
  count: Int
) {
  multiply(gate: gate, x, target, count, sigmoid)
}

/// target = activation(gate) · x.
@inline(__always)
private func multiply(
  gate: UnsafePointer<Float>, _ x: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>,
  _ count: Int, _ activation: (FourLanes) -> FourLanes
) {
  var index = 0
  while index < count {
    let left = count &- index
    let gates = loadFour(gate + index, count: left)
    storeFour(
      each(activation(gates), loadFour(x + index, count: left), multiply), target + index,
      count: left)
    index &+= 64
  }
}

/// target = e^source.
package func exponentials(
  _ source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>, count: Int
) {
  var index = 0
  while index < count {
    let left = count &- index
    storeFour(exponential(loadFour(source + index, count: left)), target + index, count: left)
    index &+= 64
  }
}
