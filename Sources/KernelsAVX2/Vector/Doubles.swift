import _Builtin_intrinsics.intel

// Eight lanes in double precision, for sampling. As with `Lanes`, each instruction set has its own file
// of this name.

typealias Doubles = (__m256d, __m256d)

/// Eight float32, widened.
@inline(__always) func widened(_ source: UnsafePointer<Float>) -> Doubles {
  (_mm256_cvtps_pd(_mm_loadu_ps(source)), _mm256_cvtps_pd(_mm_loadu_ps(source + 4)))
}

@inline(__always) func store(_ lanes: Doubles, _ target: UnsafeMutablePointer<Double>) {
  _mm256_storeu_pd(target, lanes.0)
  _mm256_storeu_pd(target + 4, lanes.1)
}

/// The first lane.
@inline(__always) func first(_ lanes: Doubles) -> Double { _mm256_cvtsd_f64(lanes.0) }

/// The sum of all lanes, each half added to the other first.
@inline(__always) func sum(_ lanes: Doubles) -> Double {
  let four = _mm256_add_pd(lanes.0, lanes.1)
  let two = _mm256_add_pd(four, _mm256_castps_pd(moved(_mm256_castpd_ps(four), 4)))
  return _mm256_cvtsd_f64(
    _mm256_add_pd(two, _mm256_castps_pd(moved(_mm256_castpd_ps(two), 2))))
}

@inline(__always) func doubles(_ value: Double) -> Doubles {
  (_mm256_set1_pd(value), _mm256_set1_pd(value))
}

@inline(__always) func add(_ a: Doubles, _ b: Doubles) -> Doubles {
  (_mm256_add_pd(a.0, b.0), _mm256_add_pd(a.1, b.1))
}

@inline(__always) func subtract(_ a: Doubles, _ b: Doubles) -> Doubles {
  (_mm256_sub_pd(a.0, b.0), _mm256_sub_pd(a.1, b.1))
}

@inline(__always) func multiply(_ a: Doubles, _ b: Doubles) -> Doubles {
  (_mm256_mul_pd(a.0, b.0), _mm256_mul_pd(a.1, b.1))
}

@inline(__always) func divide(_ a: Doubles, _ b: Doubles) -> Doubles {
  (_mm256_div_pd(a.0, b.0), _mm256_div_pd(a.1, b.1))
}

/// a > b ? a : b.
@inline(__always) func larger(_ a: Doubles, _ b: Doubles) -> Doubles {
  (_mm256_max_pd(a.0, b.0), _mm256_max_pd(a.1, b.1))
}

/// x where `sign` is not negative, else +0.
@inline(__always) func zero(whereNegative sign: Doubles, _ x: Doubles) -> Doubles {
  let zeros = _mm256_setzero_pd()
  return (_mm256_blendv_pd(x.0, zeros, sign.0), _mm256_blendv_pd(x.1, zeros, sign.1))
}

/// 2ⁿ, for n that is the low bits of the lanes and −1022 ≤ n ≤ 1023.
@inline(__always) func powerOfTwo(lowBits lanes: Doubles) -> Doubles {
  (powerOfTwo(lowBits: lanes.0), powerOfTwo(lowBits: lanes.1))
}

@inline(__always) private func powerOfTwo(lowBits half: __m256d) -> __m256d {
  let biased = _mm256_add_epi64(_mm256_castpd_si256(half), _mm256_set1_epi64x(1_023))
  return _mm256_castsi256_pd(_mm256_slli_epi64(biased, 52))
}
