// Blocks are merged one by one in ascending order, by this formula alone, whoever computed them.

/// Merges the next block of a row, (maximum, sum, output), into what the row has so far.
///
/// A sum of 0 means that nothing was visible, in either.
package func mergeBlock(
  maximum: Float, sum: Float, output: UnsafePointer<Float>,
  intoMaximum totalMaximum: UnsafeMutablePointer<Float>,
  sum totalSum: UnsafeMutablePointer<Float>, output total: UnsafeMutablePointer<Float>,
  paddedDimension: Int
) {
  guard sum != 0 else { return }
  guard totalSum.pointee != 0 else {
    totalMaximum.pointee = maximum
    totalSum.pointee = sum
    var index = 0
    while index < paddedDimension {
      store(load(output + index), total + index)
      index &+= 16
    }
    return
  }
  let highest = totalMaximum.pointee > maximum ? totalMaximum.pointee : maximum
  let old = exponential(splat(totalMaximum.pointee - highest))
  let new = exponential(splat(maximum - highest))
  var index = 0
  while index < paddedDimension {
    let kept = multiply(load(total + index), old)
    store(add(kept, multiply(load(output + index), new)), total + index)
    index &+= 16
  }
  let sums = add(multiply(splat(totalSum.pointee), old), multiply(splat(sum), new))
  totalMaximum.pointee = highest
  store(sums, totalSum, count: 1)
}

/// target = output / sum, `count` elements.
package func finishAttention(
  output: UnsafePointer<Float>, sum: Float, _ target: UnsafeMutablePointer<Float>, count: Int
) {
  var index = 0
  while index < count {
    let lanes = min16(count &- index)
    store(divide(load(output + index, count: lanes), splat(sum)), target + index, count: lanes)
    index &+= 16
  }
}
