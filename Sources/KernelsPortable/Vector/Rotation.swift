/// Rotates the first 2 · `pairs` elements of every head, pair i being elements i and i + `pairs`.
///
/// `x` holds `heads` × `headDimension`; `cosines` and `sines` hold `pairs` each.
package func rotate(
  _ x: UnsafeMutablePointer<Float>, heads: Int, headDimension: Int, pairs: Int,
  cosines: UnsafePointer<Float>, sines: UnsafePointer<Float>
) {
  var head = 0
  while head < heads {
    let low = x + head &* headDimension
    let high = low + pairs
    var index = 0
    while index < pairs {
      let lanes = min16(pairs &- index)
      let cosine = load(cosines + index, count: lanes)
      let sine = load(sines + index, count: lanes)
      let first = load(low + index, count: lanes)
      let second = load(high + index, count: lanes)
      let turned = subtract(multiply(first, cosine), multiply(second, sine))
      let raised = add(multiply(second, cosine), multiply(first, sine))
      store(turned, low + index, count: lanes)
      store(raised, high + index, count: lanes)
      index &+= 16
    }
    head &+= 1
  }
}
