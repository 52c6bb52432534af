import _Builtin_intrinsics.intel

// Eight lanes in double precision, for sampling. As with `Lanes`, each instruction set has its own file
// of this name.

typealias Doubles = __m512d

/// Eight float32, widened.
@inline(__always) func widened(_ source: UnsafePointer<Float>) -> Doubles {
  _mm512_cvtps_pd(_mm256_loadu_ps(source))
}

@inline(__always) func store(_ lanes: Doubles, _ target: UnsafeMutablePointer<Double>) {
  _mm512_storeu_pd(target, lanes)
}

/// The first lane.
@inline(__always) func first(_ lanes: Doubles) -> Double { _mm512_cvtsd_f64(lanes) }

/// The sum of all lanes, each half added to the other first.
@inline(__always) func sum(_ lanes: Doubles) -> Double {
  let four = add(lanes, _mm512_castps_pd(moved(_mm512_castpd_ps(lanes), 8)))
  let two = add(four, _mm512_castps_pd(moved(_mm512_castpd_ps(four), 4)))
  return first(add(two, _mm512_castps_pd(moved(_mm512_castpd_ps(two), 2))))
}

@inline(__always) func doubles(_ value: Double) -> Doubles { _mm512_set1_pd(value) }
@inline(__always) func add(_ a: Doubles, _ b: Doubles) -> Doubles { _mm512_add_pd(a, b) }
@inline(__always) func subtract(_ a: Doubles, _ b: Doubles) -> Doubles { _mm512_sub_pd(a, b) }
@inline(__always) func multiply(_ a: Doubles, _ b: Doubles) -> Doubles { _mm512_mul_pd(a, b) }
@inline(__always) func divide(_ a: Doubles, _ b: Doubles) -> Doubles { _mm512_div_pd(a, b) }

/// a > b ? a : b.
@inline(__always) func larger(_ a: Doubles, _ b: Doubles) -> Doubles { _mm512_max_pd(a, b) }

/// x where `sign` is not negative, else +0.
@inline(__always) func zero(whereNegative sign: Doubles, _ x: Doubles) -> Doubles {
  _mm512_maskz_mov_pd(~_mm512_movepi64_mask(_mm512_castpd_si512(sign)), x)
}

/// 2ⁿ, for n that is the low bits of the lanes and −1022 ≤ n ≤ 1023.
@inline(__always) func powerOfTwo(lowBits lanes: Doubles) -> Doubles {
  let biased = _mm512_add_epi64(_mm512_castpd_si512(lanes), _mm512_set1_epi64(1_023))
  return _mm512_castsi512_pd(_mm512_slli_epi64(biased, 52))
}
