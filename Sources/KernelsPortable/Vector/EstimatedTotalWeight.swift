// Nearly always the nucleus of a distribution is the same for every total that is near the exact one, so
// that an estimate decides it. What the exact sum waits for is left out here: additions one after another,
// a division, and the last bits of each exponential.

/// The sum of 2^((x − maximum) · scale); `maximum` is the largest of x.
package func estimatedTotalWeight(
  _ x: UnsafePointer<Float>, maximum: Double, scale: Double, count: Int
) -> Double {
  var total = doubles(0)
  var index = 0
  while index &+ 8 <= count {
    let distances = subtract(widened(x + index), doubles(maximum))
    total = add(total, roughPower(multiply(distances, doubles(scale))))
    index &+= 8
  }
  var rest = 0.0
  while index < count {
    rest += first(roughPower(doubles((Double(x[index]) - maximum) * scale)))
    index &+= 1
  }
  return sum(total) + rest
}

/// 2^x for x ≤ 0, within a relative error of 1.7·10⁻⁷; 2^−1021 below −1021.
@inline(__always) private func roughPower(_ x: Doubles) -> Doubles {
  let clamped = larger(doubles(-1_021), x)
  let shifted = add(clamped, doubles(0x1.8p52))
  let f = subtract(clamped, subtract(shifted, doubles(0x1.8p52)))
  // The terms (f·ln 2)ᵏ / k! of the series up to the sixth, for |f| ≤ ½.
  var sum = add(
    multiply(doubles(0x1.430912f86c786p-13), f), doubles(0x1.5d87fe78a6730p-10))
  sum = add(multiply(sum, f), doubles(0x1.3b2ab6fba4e77p-7))
  sum = add(multiply(sum, f), doubles(0x1.c6b08d704a0bfp-5))
  sum = add(multiply(sum, f), doubles(0x1.ebfbdff82c58ep-3))
  sum = add(multiply(sum, f), doubles(0x1.62e42fefa39efp-1))
  sum = add(multiply(sum, f), doubles(1))
  return multiply(sum, powerOfTwo(lowBits: shifted))
}
