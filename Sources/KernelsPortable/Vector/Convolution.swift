/// target = silu(Σ weight·x) over four consecutive rows, the oldest first.
///
/// `weights` holds four rows of `weightStride`, one for each row of x.
package func convolve(
  _ x0: UnsafePointer<Float>, _ x1: UnsafePointer<Float>, _ x2: UnsafePointer<Float>,
  _ x3: UnsafePointer<Float>, weights: UnsafePointer<Float>, weightStride: Int,
  _ target: UnsafeMutablePointer<Float>, count: Int
) {
  var index = 0
  while index < count {
    let left = count &- index
    let weight = weights + index
    var total = products(weight, x0 + index, left)
    total = each(total, products(weight + weightStride, x1 + index, left), add)
    total = each(total, products(weight + 2 &* weightStride, x2 + index, left), add)
    total = each(total, products(weight + 3 &* weightStride, x3 + index, left), add)
    storeFour(silu(total), target + index, count: left)
    index &+= 64
  }
}

@inline(__always)
private func products(
  _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ count: Int
) -> FourLanes {
  each(loadFour(a, count: count), loadFour(b, count: count), multiply)
}
