// e^x without a table or a fused operation. x = n·ln 2 + r with n whole, so |r| ≤ ln 2 / 2; e^r is
// Taylor's polynomial, whose first missing term is below 2⁻²⁷; 2ⁿ is made of exponent bits in two
// halves, so that results below the normal range are rounded once. NaN passes.

/// e^x, within 2 units in the last place; 0 below −104, +∞ above 89.
@inline(__always) func exponential(_ x: Lanes) -> Lanes {
  let clamped = larger(splat(-104), smaller(splat(89), x))
  // Adding 1.5·2²³ leaves the whole number in the low bits.
  let shifted = add(multiply(clamped, splat(1.442695)), splat(0x1.8p23))
  let whole = subtract(shifted, splat(0x1.8p23))
  let exponent = subtract(bits(shifted), splat(0x4b40_0000))
  // ln 2 in two parts; the first has so few digits that its product is exact.
  let high = subtract(clamped, multiply(whole, splat(0.693359375)))
  let r = subtract(high, multiply(whole, splat(-2.12194440e-4)))
  var series = add(multiply(splat(1.0 / 5_040), r), splat(1.0 / 720))
  series = add(multiply(series, r), splat(1.0 / 120))
  series = add(multiply(series, r), splat(1.0 / 24))
  series = add(multiply(series, r), splat(1.0 / 6))
  series = add(multiply(series, r), splat(0.5))
  let power = add(add(multiply(multiply(series, r), r), r), splat(1))
  let half = shiftRightSigned(exponent, 1)
  let rest = subtract(exponent, half)
  return multiply(multiply(power, powerOfTwo(half)), powerOfTwo(rest))
}

/// 2ⁿ for −126 ≤ n ≤ 127.
@inline(__always) private func powerOfTwo(_ n: IntegerLanes) -> Lanes {
  floats(shiftLeft(add(n, splat(127)), 23))
}

/// 1 / (1 + e^−x).
@inline(__always) func sigmoid(_ x: Lanes) -> Lanes {
  divide(splat(1), add(splat(1), exponential(subtract(zeros(), x))))
}

/// x / (1 + e^−x).
@inline(__always) func silu(_ x: Lanes) -> Lanes {
  divide(x, add(splat(1), exponential(subtract(zeros(), x))))
}

/// x·(1 + tanh u) / 2 with u = √(2/π)·(x + 0.044715·x³), which is x / (1 + e^−2u).
@inline(__always) func geluTanh(_ x: Lanes) -> Lanes {
  let cube = multiply(multiply(x, x), multiply(x, splat(0.044715)))
  let twice = multiply(add(x, cube), splat(1.5957691))
  return divide(x, add(splat(1), exponential(subtract(zeros(), twice))))
}
