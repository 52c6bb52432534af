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
    let lanes = min16(count &- index)
    let weight = weights + index
    var total = multiply(load(weight, count: lanes), load(x0 + index, count: lanes))
    total = add(
      total,
      multiply(load(weight + weightStride, count: lanes), load(x1 + index, count: lanes)))
    total = add(
      total,
      multiply(load(weight + 2 &* weightStride, count: lanes), load(x2 + index, count: lanes)))
    total = add(
      total,
      multiply(load(weight + 3 &* weightStride, count: lanes), load(x3 + index, count: lanes)))
    store(silu(total), target + index, count: lanes)
    index &+= 16
  }
}
