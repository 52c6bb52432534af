// Eight lanes in double precision, for sampling. As with `Lanes`, each instruction set has its own file
// of this name.

typealias Doubles = SIMD8<Double>

/// Eight float32, widened.
@inline(__always) func widened(_ source: UnsafePointer<Float>) -> Doubles {
  // Written out, because the library's conversion is a call.
  Doubles(
    Double(source[0]), Double(source[1]), Double(source[2]), Double(source[3]),
    Double(source[4]), Double(source[5]), Double(source[6]), Double(source[7]))
}

@inline(__always) func store(_ lanes: Doubles, _ target: UnsafeMutablePointer<Double>) {
  UnsafeMutableRawPointer(target).storeBytes(of: lanes, as: Doubles.self)
}

/// The first lane.
@inline(__always) func first(_ lanes: Doubles) -> Double { lanes[0] }

/// The sum of all lanes, each half added to the other first.
@inline(__always) func sum(_ lanes: Doubles) -> Double {
  let four = lanes.lowHalf + lanes.highHalf
  let two = four.lowHalf + four.highHalf
  return two[0] + two[1]
}

@inline(__always) func doubles(_ value: Double) -> Doubles { Doubles(repeating: value) }
@inline(__always) func add(_ a: Doubles, _ b: Doubles) -> Doubles { a + b }
@inline(__always) func subtract(_ a: Doubles, _ b: Doubles) -> Doubles { a - b }
@inline(__always) func multiply(_ a: Doubles, _ b: Doubles) -> Doubles { a * b }
@inline(__always) func divide(_ a: Doubles, _ b: Doubles) -> Doubles { a / b }

/// a > b ? a : b.
@inline(__always) func larger(_ a: Doubles, _ b: Doubles) -> Doubles {
  b.replacing(with: a, where: a .> b)
}

/// x where `sign` is not negative, else +0.
@inline(__always) func zero(whereNegative sign: Doubles, _ x: Doubles) -> Doubles {
  x.replacing(with: 0, where: sign .< 0)
}

/// 2ⁿ, for n that is the low bits of the lanes and −1022 ≤ n ≤ 1023.
@inline(__always) func powerOfTwo(lowBits lanes: Doubles) -> Doubles {
  let bits = unsafeBitCast(lanes, to: SIMD8<Int64>.self)
  return unsafeBitCast((bits &+ 1_023) &<< 52, to: Doubles.self)
}
