/// Arithmetic of the sampler that gives the same bits on every machine: the C library's does not.
package enum DeterministicMath {
  /// e to the power of `x`, for x ≤ 0, within a relative error of 10⁻¹³; 0 below −708.
  @inline(always)
  package static func exponential(_ x: Double) -> Double {
    // x = n·ln 2 + r with |r| ≤ ln 2 / 2; then eˣ = 2ⁿ·eʳ.
    let clamped = x < -708 ? -708 : x
    let shifted = clamped * 0x1.71547652b82fep0 + roundingShift
    let n = shifted - roundingShift
    // ln 2 in two parts, the first short enough for its product with n to be exact.
    let r = (clamped - n * 0x1.62e42fee00000p-1) - n * 0x1.a39ef35793c76p-33
    var sum = 1.0 / 39_916_800
    sum = sum * r + 1.0 / 3_628_800
    sum = sum * r + 1.0 / 362_880
    sum = sum * r + 1.0 / 40_320
    sum = sum * r + 1.0 / 5_040
    sum = sum * r + 1.0 / 720
    sum = sum * r + 1.0 / 120
    sum = sum * r + 1.0 / 24
    sum = sum * r + 1.0 / 6
    sum = sum * r + 0.5
    sum = sum * r + 1
    sum = sum * r + 1
    // The low bits of `shifted` are n; n ≥ −1022, so the exponent stays in range.
    let scale = Double(bitPattern: (shifted.bitPattern &+ 1023) << 52)
    return x < -708 ? 0 : sum * scale
  }

  /// Adding and taking off this number rounds to the nearest integer.
  private static let roundingShift = 0x1.8p52
}
