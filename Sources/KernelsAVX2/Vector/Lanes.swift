import CVector
import _Builtin_intrinsics.intel

// Sixteen lanes in two registers. The three files of this name give the same functions for three
// instruction sets; everything else in the folders is one source, linked from KernelsPortable.
// Types of our own would put value witnesses, which are weak symbols compiled for this
// instruction set, into debug builds: hence aliases and free functions.

typealias Lanes = (__m256, __m256)
typealias IntegerLanes = (__m256i, __m256i)

/// Rows × registers of a product that the sixteen named registers hold.
@inline(__always) var productRows: Int { 1 }
@inline(__always) var productRegisters: Int { 4 }

/// Rows from which widening float16 once for all of them is faster.
@inline(__always) var rowsWorthWidening: Int { 3 }

// MARK: Memory

/// Starts to bring a cache line; any address will do.
@inline(__always) func prefetch(_ address: UnsafeRawPointer) { pipit_prefetch(address) }

@inline(__always) func load(_ source: UnsafePointer<Float>) -> Lanes {
  (_mm256_loadu_ps(source), _mm256_loadu_ps(source + 8))
}

/// The first `count` (0 to 16) lanes from memory, +0 in the others; reads nothing beyond.
@inline(__always) func load(_ source: UnsafePointer<Float>, count: Int) -> Lanes {
  guard count < 16 else { return load(source) }
  let mask = lanes(below: count)
  return (_mm256_maskload_ps(source, mask.0), _mm256_maskload_ps(source + 8, mask.1))
}

@inline(__always) func store(_ lanes: Lanes, _ target: UnsafeMutablePointer<Float>) {
  _mm256_storeu_ps(target, lanes.0)
  _mm256_storeu_ps(target + 8, lanes.1)
}

/// Stores the first `count` (0 to 16) lanes.
@inline(__always)
func store(_ values: Lanes, _ target: UnsafeMutablePointer<Float>, count: Int) {
  guard count < 16 else { return store(values, target) }
  let mask = lanes(below: count)
  _mm256_maskstore_ps(target, mask.0, values.0)
  _mm256_maskstore_ps(target + 8, mask.1, values.1)
}

/// Sixteen float16, widened.
@inline(__always) func load(float16 source: UnsafePointer<UInt16>) -> Lanes {
  let halves = UnsafeRawPointer(source).assumingMemoryBound(to: __m128i.self)
  return (
    _mm256_cvtph_ps(_mm_loadu_si128(halves)), _mm256_cvtph_ps(_mm_loadu_si128(halves + 1))
  )
}

/// The low halves of the lanes, none of which is above 65535.
@inline(__always)
func store(lowHalves lanes: IntegerLanes, _ target: UnsafeMutablePointer<UInt16>) {
  // Packing interleaves the quarters of both registers.
  let packed = _mm256_castsi256_ps(_mm256_packus_epi32(lanes.0, lanes.1))
  let ordered = _mm256_permutevar8x32_ps(packed, _mm256_setr_epi32(0, 1, 4, 5, 2, 3, 6, 7))
  _mm256_storeu_si256(
    UnsafeMutableRawPointer(target).assumingMemoryBound(to: __m256i.self),
    _mm256_castps_si256(ordered))
}

@inline(__always) private func lanes(below count: Int) -> IntegerLanes {
  let limit = _mm256_set1_epi32(Int32(truncatingIfNeeded: count))
  return (
    _mm256_cmpgt_epi32(limit, _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)),
    _mm256_cmpgt_epi32(limit, _mm256_setr_epi32(8, 9, 10, 11, 12, 13, 14, 15))
  )
}

// MARK: Arithmetic

@inline(__always) func splat(_ value: Float) -> Lanes {
  (_mm256_set1_ps(value), _mm256_set1_ps(value))
}

@inline(__always) func zeros() -> Lanes { (_mm256_setzero_ps(), _mm256_setzero_ps()) }

@inline(__always) func add(_ a: Lanes, _ b: Lanes) -> Lanes {
  (_mm256_add_ps(a.0, b.0), _mm256_add_ps(a.1, b.1))
}

@inline(__always) func subtract(_ a: Lanes, _ b: Lanes) -> Lanes {
  (_mm256_sub_ps(a.0, b.0), _mm256_sub_ps(a.1, b.1))
}

@inline(__always) func multiply(_ a: Lanes, _ b: Lanes) -> Lanes {
  (_mm256_mul_ps(a.0, b.0), _mm256_mul_ps(a.1, b.1))
}

/// Every lane of b times the one float in memory.
@inline(__always) func multiply(broadcast a: UnsafePointer<Float>, _ b: Lanes) -> Lanes {
  multiply(splat(a.pointee), b)
}

@inline(__always) func divide(_ a: Lanes, _ b: Lanes) -> Lanes {
  (_mm256_div_ps(a.0, b.0), _mm256_div_ps(a.1, b.1))
}

/// a > b ? a : b, so b if either is NaN.
@inline(__always) func larger(_ a: Lanes, _ b: Lanes) -> Lanes {
  (_mm256_max_ps(a.0, b.0), _mm256_max_ps(a.1, b.1))
}

/// a < b ? a : b, so b if either is NaN.
@inline(__always) func smaller(_ a: Lanes, _ b: Lanes) -> Lanes {
  (_mm256_min_ps(a.0, b.0), _mm256_min_ps(a.1, b.1))
}

/// Lanes `first..<end` of a, the others of b.
@inline(__always)
func select(_ first: Int, _ end: Int, _ a: Lanes, _ b: Lanes) -> Lanes {
  let outside = lanes(below: first)
  let inside = lanes(below: end)
  return (
    _mm256_blendv_ps(
      b.0, a.0, _mm256_castsi256_ps(_mm256_andnot_si256(outside.0, inside.0))),
    _mm256_blendv_ps(
      b.1, a.1, _mm256_castsi256_ps(_mm256_andnot_si256(outside.1, inside.1)))
  )
}

/// x · 2ⁿ for a whole n from −252 to 254 and an x near 1, rounded once.
@inline(__always) func scaled(_ x: Lanes, byPowerOf2 n: Lanes) -> Lanes {
  scaledInHalves(x, byPowerOf2: n)
}

// MARK: Integers and bits

@inline(__always) func splat(_ value: Int32) -> IntegerLanes {
  (_mm256_set1_epi32(value), _mm256_set1_epi32(value))
}

@inline(__always) func bits(_ lanes: Lanes) -> IntegerLanes {
  (_mm256_castps_si256(lanes.0), _mm256_castps_si256(lanes.1))
}

@inline(__always) func floats(_ lanes: IntegerLanes) -> Lanes {
  (_mm256_castsi256_ps(lanes.0), _mm256_castsi256_ps(lanes.1))
}

@inline(__always) func add(_ a: IntegerLanes, _ b: IntegerLanes) -> IntegerLanes {
  (_mm256_add_epi32(a.0, b.0), _mm256_add_epi32(a.1, b.1))
}

@inline(__always) func subtract(_ a: IntegerLanes, _ b: IntegerLanes) -> IntegerLanes {
  (_mm256_sub_epi32(a.0, b.0), _mm256_sub_epi32(a.1, b.1))
}

@inline(__always) func and(_ a: IntegerLanes, _ b: IntegerLanes) -> IntegerLanes {
  (_mm256_and_si256(a.0, b.0), _mm256_and_si256(a.1, b.1))
}

@inline(__always) func or(_ a: IntegerLanes, _ b: IntegerLanes) -> IntegerLanes {
  (_mm256_or_si256(a.0, b.0), _mm256_or_si256(a.1, b.1))
}

@inline(__always) func shiftLeft(_ a: IntegerLanes, _ count: UInt32) -> IntegerLanes {
  let count = Int32(truncatingIfNeeded: count)
  return (_mm256_slli_epi32(a.0, count), _mm256_slli_epi32(a.1, count))
}

@inline(__always) func shiftRight(_ a: IntegerLanes, _ count: UInt32) -> IntegerLanes {
  let count = Int32(truncatingIfNeeded: count)
  return (_mm256_srli_epi32(a.0, count), _mm256_srli_epi32(a.1, count))
}

/// Fills with the sign.
@inline(__always) func shiftRightSigned(_ a: IntegerLanes, _ count: UInt32) -> IntegerLanes {
  let count = Int32(truncatingIfNeeded: count)
  return (_mm256_srai_epi32(a.0, count), _mm256_srai_epi32(a.1, count))
}

/// a < b ? x : y, for a and b whose difference does not overflow.
@inline(__always)
func selectLess(
  _ a: IntegerLanes, _ b: IntegerLanes, _ x: IntegerLanes, _ y: IntegerLanes
) -> IntegerLanes {
  (
    _mm256_blendv_epi8(y.0, x.0, _mm256_cmpgt_epi32(b.0, a.0)),
    _mm256_blendv_epi8(y.1, x.1, _mm256_cmpgt_epi32(b.1, a.1))
  )
}

// MARK: Across lanes

/// The sum of all lanes: +8, then +4, +2, +1.
@inline(__always) func sum(_ lanes: Lanes) -> Float {
  let eight = _mm256_add_ps(lanes.0, lanes.1)
  let four = _mm256_add_ps(eight, moved(eight, 4))
  let two = _mm256_add_ps(four, moved(four, 2))
  return _mm256_cvtss_f32(_mm256_add_ps(two, moved(two, 1)))
}

/// The largest of all lanes, in the order of `sum`.
@inline(__always) func largest(_ lanes: Lanes) -> Float {
  let eight = _mm256_max_ps(lanes.0, lanes.1)
  let four = _mm256_max_ps(eight, moved(eight, 4))
  let two = _mm256_max_ps(four, moved(four, 2))
  return _mm256_cvtss_f32(_mm256_max_ps(two, moved(two, 1)))
}

/// Lane i holds what lane i + distance held, for the lanes that the sums go on to use.
@inline(__always) func moved(_ half: __m256, _ distance: Int32) -> __m256 {
  let first = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)
  return _mm256_permutevar8x32_ps(half, _mm256_add_epi32(first, _mm256_set1_epi32(distance)))
}
