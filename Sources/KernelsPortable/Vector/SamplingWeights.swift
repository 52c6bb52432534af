// The weights of a vocabulary for drawing a token. The steps are those of
// `Inference/Sampling/DeterministicMath`, which is the specification and computes single weights.

/// Fills `weights` with e^((x − maximum) / temperature), and returns their sum in ascending order of the
/// index; `maximum` is the largest of x.
package func samplingWeights(
  _ x: UnsafePointer<Float>, maximum: Double, temperature: Double,
  _ weights: UnsafeMutablePointer<Double>, count: Int
) -> Double {
  // An addition waits for the one before, so that the sum is as slow as the exponentials; in one loop
  // they take the time of one of them.
  var total = 0.0
  var index = 0
  while index &+ 8 <= count {
    let exponents = divide(
      subtract(widened(x + index), doubles(maximum)), doubles(temperature))
    store(exponential(exponents), weights + index)
    let end = index &+ 8
    while index < end {
      total += weights[index]
      index &+= 1
    }
  }
  while index < count {
    let exponent = (Double(x[index]) - maximum) / temperature
    weights[index] = first(exponential(doubles(exponent)))
    total += weights[index]
    index &+= 1
  }
  return total
}

/// e^x for x ≤ 0, within a relative error of 10⁻¹³; 0 below −708.
@inline(__always) private func exponential(_ x: Doubles) -> Doubles {
  let clamped = larger(doubles(-708), x)
  let shifted = add(multiply(clamped, doubles(0x1.71547652b82fep0)), doubles(0x1.8p52))
  let n = subtract(shifted, doubles(0x1.8p52))
  let high = subtract(clamped, multiply(n, doubles(0x1.62e42fee00000p-1)))
  let r = subtract(high, multiply(n, doubles(0x1.a39ef35793c76p-33)))
  var sum = add(multiply(doubles(1.0 / 39_916_800), r), doubles(1.0 / 3_628_800))
  sum = add(multiply(sum, r), doubles(1.0 / 362_880))
  sum = add(multiply(sum, r), doubles(1.0 / 40_320))
  sum = add(multiply(sum, r), doubles(1.0 / 5_040))
  sum = add(multiply(sum, r), doubles(1.0 / 720))
  sum = add(multiply(sum, r), doubles(1.0 / 120))
  sum = add(multiply(sum, r), doubles(1.0 / 24))
  sum = add(multiply(sum, r), doubles(1.0 / 6))
  sum = add(multiply(sum, r), doubles(0.5))
  sum = add(multiply(sum, r), doubles(1))
  sum = add(multiply(sum, r), doubles(1))
  return zero(
    whereNegative: add(x, doubles(708)), multiply(sum, powerOfTwo(lowBits: shifted)))
}
