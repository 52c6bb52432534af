import KernelsPortable

/// Elementary functions in double precision that give the same bits on every machine: nothing but
/// arithmetic, no libm (rule N6).
package enum ExactMath {
  /// base to the power of exponent, for a positive normal base.
  package static func power(_ base: Double, _ exponent: Double) -> Double {
    KernelsPortable.power(base, exponent)
  }

  /// The natural logarithm of a positive normal number.
  package static func logarithm(_ x: Double) -> Double {
    KernelsPortable.logarithm(x)
  }

  /// e to the power of x.
  package static func exponential(_ x: Double) -> Double {
    KernelsPortable.exponential(x)
  }

  /// A float32 rounded to the nearest bfloat16, of two the even one.
  package static func roundedToBFloat16(_ x: Float) -> Float {
    let bits = x.bitPattern
    return Float(bitPattern: (bits &+ 0x7fff &+ (bits >> 16 & 1)) & 0xffff_0000)
  }
}
