// Elementary functions in double precision from + − × ÷ and bits alone, because the system's differ
// between processors. They are called once per head or per position, so they are compiled once, for
// the baseline. None traps, whatever the argument.

private let roundingShift = 0x1.8p52

/// e^x, to about 1 unit in the last place.
package func exponential(_ x: Double) -> Double {
  let clamped = x > 710 ? 710 : (x < -746 ? -746 : x)
  let shifted = clamped * 1.4426950408889634 + roundingShift
  let whole = shifted - roundingShift
  // ln 2 in two parts; the first has 32 bits, so its product is exact.
  let r = (clamped - whole * 0x1.62e42feep-1) - whole * 0x1.a39ef35793c76p-33
  var series = 1.0 / 6_227_020_800
  series = series * r + 1.0 / 479_001_600
  series = series * r + 1.0 / 39_916_800
  series = series * r + 1.0 / 3_628_800
  series = series * r + 1.0 / 362_880
  series = series * r + 1.0 / 40_320
  series = series * r + 1.0 / 5_040
  series = series * r + 1.0 / 720
  series = series * r + 1.0 / 120
  series = series * r + 1.0 / 24
  series = series * r + 1.0 / 6
  series = series * r + 0.5
  let power = series * r * r + r + 1
  let exponent = Int64(bitPattern: shifted.bitPattern &- roundingShift.bitPattern)
  let half = exponent >> 1
  return power * powerOfTwo(half) * powerOfTwo(exponent &- half)
}

private func powerOfTwo(_ n: Int64) -> Double {
  Double(bitPattern: UInt64(truncatingIfNeeded: n &+ 1_023) &<< 52)
}

/// ln x of a positive normal number, to about 1 unit in the last place.
package func logarithm(_ x: Double) -> Double {
  // x = 2^e · m with √½ ≤ m < √2.
  let bits = x.bitPattern
  let shift = bits &- 0x3fe6_a09e_667f_3bcd
  let exponent = Int64(bitPattern: shift) >> 52
  let m = Double(bitPattern: bits &- UInt64(bitPattern: exponent &<< 52))
  let f = (m - 1) / (m + 1)
  let square = f * f
  var series = 1.0 / 23
  series = series * square + 1.0 / 21
  series = series * square + 1.0 / 19
  series = series * square + 1.0 / 17
  series = series * square + 1.0 / 15
  series = series * square + 1.0 / 13
  series = series * square + 1.0 / 11
  series = series * square + 1.0 / 9
  series = series * square + 1.0 / 7
  series = series * square + 1.0 / 5
  series = series * square + 1.0 / 3
  let whole = Double(exponent)
  let small = 2 * f * square * series + whole * 0x1.a39ef35793c76p-33
  return (small + 2 * f) + whole * 0x1.62e42feep-1
}

/// base^exponent for a positive normal base.
package func power(_ base: Double, _ exponent: Double) -> Double {
  exponential(exponent * logarithm(base))
}

/// ln(1 + e^x), without loss at either end.
package func softplus(_ x: Double) -> Double {
  guard x < 36 else { return x }
  let e = exponential(x)
  return e < 1e-5 ? e - e * e / 2 : logarithm(1 + e)
}

/// The cosine and the sine of an angle, to 2⁻⁵⁰ or so for angles up to 2²⁰.
package func cosineAndSine(_ angle: Double) -> (cosine: Double, sine: Double) {
  let shifted = angle * 0.6366197723675814 + roundingShift
  let quarters = shifted - roundingShift
  // π/2 in three parts of 33, 33 and 53 bits.
  let high = angle - quarters * 0x1.921fb544p0
  let r = (high - quarters * 0x1.0b4611a6p-34) - quarters * 0x1.3198a2e037073p-69
  let square = r * r
  var odd = -1.0 / 1_307_674_368_000
  odd = odd * square + 1.0 / 6_227_020_800
  odd = odd * square - 1.0 / 39_916_800
  odd = odd * square + 1.0 / 362_880
  odd = odd * square - 1.0 / 5_040
  odd = odd * square + 1.0 / 120
  odd = odd * square - 1.0 / 6
  let sine = odd * square * r + r
  var even = 1.0 / 20_922_789_888_000
  even = even * square - 1.0 / 87_178_291_200
  even = even * square + 1.0 / 479_001_600
  even = even * square - 1.0 / 3_628_800
  even = even * square + 1.0 / 40_320
  even = even * square - 1.0 / 720
  even = even * square + 1.0 / 24
  even = even * square - 0.5
  let cosine = even * square + 1
  return switch shifted.bitPattern & 3 {
  case 0: (cosine, sine)
  case 1: (-sine, cosine)
  case 2: (-cosine, -sine)
  default: (sine, -cosine)
  }
}
