// e^x without a table or a fused operation. x = n·ln 2 + r with n whole, so |r| ≤ ln 2 / 2; e^r is
// Taylor's polynomial, whose first missing term is below 2⁻²⁷; results below the normal range are
// rounded once. NaN passes.

/// e^x, within 2 units in the last place; 0 below −104, +∞ above 89.
@inline(__always) func exponential(_ x: Lanes) -> Lanes {
  let (whole, rest) = divided(x)
  return scaled(power(series(rest), rest), byPowerOf2: whole)
}

/// The same for four registers, step by step: one register's steps wait for each other.
@inline(__always) func exponential(_ x: FourLanes) -> FourLanes {
  guard productRegisters == 4 else {
    return (exponential(x.0), exponential(x.1), exponential(x.2), exponential(x.3))
  }
  let parts = (divided(x.0), divided(x.1), divided(x.2), divided(x.3))
  let sums = (
    series(parts.0.rest), series(parts.1.rest), series(parts.2.rest), series(parts.3.rest)
  )
  let powers = (
    power(sums.0, parts.0.rest), power(sums.1, parts.1.rest), power(sums.2, parts.2.rest),
    power(sums.3, parts.3.rest)
  )
  return (
    scaled(powers.0, byPowerOf2: parts.0.whole), scaled(powers.1, byPowerOf2: parts.1.whole),
    scaled(powers.2, byPowerOf2: parts.2.whole), scaled(powers.3, byPowerOf2: parts.3.whole)
  )
}

/// n and r of x = n·ln 2 + r.
@inline(__always) private func divided(_ x: Lanes) -> (whole: Lanes, rest: Lanes) {
  let clamped = larger(splat(-104), smaller(splat(89), x))
  let whole = subtract(add(multiply(clamped, splat(1.442695)), splat(0x1.8p23)), splat(0x1.8p23))
  // ln 2 in two parts; the first has so few digits that its product is exact.
  let high = subtract(clamped, multiply(whole, splat(0.693359375)))
  return (whole, subtract(high, multiply(whole, splat(-2.12194440e-4))))
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
