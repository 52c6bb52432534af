/// The index of the largest element, the first if several are; NaN is passed over, and without a
/// number above −∞ the answer is 0.
package func indexOfMaximum(_ x: UnsafePointer<Float>, count: Int) -> Int {
  var best = -Float.infinity
  var bestStart = 0
  var start = 0
  while start < count {
    let end = count &- start < 1_024 ? count : start &+ 1_024
    var most = splat(-.infinity)
    var index = start
    while index < end {
      // Lanes beyond the end repeat −∞, not 0.
      let lanes = min16(end &- index)
      let values = select(0, lanes, load(x + index, count: lanes), splat(-.infinity))
      most = larger(values, most)
      index &+= 16
    }
    let largest = largest(most)
    if largest > best {
      best = largest
      bestStart = start
    }
    start &+= 1_024
  }
  var index = bestStart
  while index < count {
    if x[index] == best {
      return index
    }
    index &+= 1
  }
  return 0
}

/// Fills `maxima` with the largest element of each 64, and returns whether no element is NaN or infinite;
/// the maxima mean nothing if one is.
package func blockMaxima(
  _ x: UnsafePointer<Float>, _ maxima: UnsafeMutablePointer<Float>, count: Int
) -> Bool {
  // x − x is +0 unless x is not finite, and then NaN.
  var total = zeros()
  var start = 0
  var block = 0
  while start < count {
    let end = count &- start < 64 ? count : start &+ 64
    var most = splat(-.infinity)
    var index = start
    while index < end {
      let lanes = min16(end &- index)
      let values = load(x + index, count: lanes)
      total = add(total, subtract(values, values))
      // Lanes beyond the end repeat −∞, not 0.
      most = larger(select(0, lanes, values, splat(-.infinity)), most)
      index &+= 16
    }
    maxima[block] = largest(most)
    start = end
    block &+= 1
  }
  return sum(total) == 0
}
