// e^x without a table or a fused operation. x = n·ln 2 + r with n whole, so |r| ≤ ln 2 / 2; e^r is
// Taylor's polynomial, whose first missing term is below 2⁻²⁷; results below the normal range are
// rounded once. NaN passes.

/// e^x, within 2 units in the last place; 0 below −104, +∞ above 89.
@inline(__always) func exponential(_ x: Lanes) -> Lanes {
  let whole = wholePart(x)
  let rest = remainder(x, whole)
  return scaled(power(series(rest), rest), byPowerOf2: whole)
}

/// The same for four registers, step by step: one register's steps wait for each other.
@inline(__always) func exponential(_ x: FourLanes) -> FourLanes {
  guard productRegisters == 4 else { return each(x, exponential) }
  let whole = each(x, wholePart)
  let rest = each(x, whole, remainder)
  let powers = each(each(rest, series), rest, power)
  return each(powers, whole) { scaled($0, byPowerOf2: $1) }
}

/// x within the bounds beyond which e^x is 0 or +∞.
@inline(__always) private func clamped(_ x: Lanes) -> Lanes {
  larger(splat(-104), smaller(splat(89), x))
}

/// n of x = n·ln 2 + r.
@inline(__always) private func wholePart(_ x: Lanes) -> Lanes {
  subtract(add(multiply(clamped(x), splat(1.442695)), splat(0x1.8p23)), splat(0x1.8p23))
}

/// r of x = n·ln 2 + r; ln 2 is in two parts, of which the first has so few digits that its product is exact.
@inline(__always) private func remainder(_ x: Lanes, _ whole: Lanes) -> Lanes {
  let high = subtract(clamped(x), multiply(whole, splat(0.693359375)))
  return subtract(high, multiply(whole, splat(-2.12194440e-4)))
}

/// (e^r − 1 − r) / r².
@inline(__always) private func series(_ r: Lanes) -> Lanes {
  var series = add(multiply(splat(1.0 / 5_040), r), splat(1.0 / 720))
  series = add(multiply(series, r), splat(1.0 / 120))
  series = add(multiply(series, r), splat(1.0 / 24))
  series = add(multiply(series, r), splat(1.0 / 6))
  return add(multiply(series, r), splat(0.5))
}

/// e^r of its series.
@inline(__always) private func power(_ series: Lanes, _ r: Lanes) -> Lanes {
  add(add(multiply(multiply(series, r), r), r), splat(1))
}

/// x · 2ⁿ for a whole n from −252 to 254 and an x near 1, rounded once.
@inline(__always) func scaledInHalves(_ x: Lanes, byPowerOf2 n: Lanes) -> Lanes {
  // Adding 1.5·2²³ leaves the whole number in the low bits.
  let exponent = subtract(bits(add(n, splat(0x1.8p23))), splat(0x4b40_0000))
  let half = shiftRightSigned(exponent, 1)
  let rest = subtract(exponent, half)
  return multiply(multiply(x, powerOfTwo(half)), powerOfTwo(rest))
}

/// 2ⁿ for −126 ≤ n ≤ 127.
@inline(__always) private func powerOfTwo(_ n: IntegerLanes) -> Lanes {
  floats(shiftLeft(add(n, splat(127)), 23))
}

/// 1 / (1 + e^−x).
@inline(__always) func sigmoid(_ x: FourLanes) -> FourLanes {
  each(onePlusExponential(each(x, negated))) { divide(splat(1), $0) }
}

/// x / (1 + e^−x).
@inline(__always) func silu(_ x: FourLanes) -> FourLanes {
  each(x, onePlusExponential(each(x, negated)), divide)
}

/// x·(1 + tanh u) / 2 with u = √(2/π)·(x + 0.044715·x³), which is x / (1 + e^−2u).
@inline(__always) func geluTanh(_ x: FourLanes) -> FourLanes {
  let exponents = each(x) { x in
    let cube = multiply(multiply(x, x), multiply(x, splat(0.044715)))
    return negated(multiply(add(x, cube), splat(1.5957691)))
  }
  return each(x, onePlusExponential(exponents), divide)
}

@inline(__always) private func onePlusExponential(_ x: FourLanes) -> FourLanes {
  each(exponential(x)) { add(splat(1), $0) }
}

@inline(__always) private func negated(_ x: Lanes) -> Lanes { subtract(zeros(), x) }
