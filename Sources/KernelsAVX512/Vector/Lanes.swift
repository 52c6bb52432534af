import CVector
import _Builtin_intrinsics.intel

// Sixteen lanes in one register. The three files of this name give the same functions for three
// instruction sets; everything else in the folders is one source, linked from KernelsPortable.
// Types of our own would put value witnesses, which are weak symbols compiled for this
// instruction set, into debug builds: hence aliases and free functions.

typealias Lanes = __m512
typealias IntegerLanes = __m512i

/// Rows × registers of a product that the sixteen named registers hold.
@inline(__always) var productRows: Int { 4 }
@inline(__always) var productRegisters: Int { 4 }

/// Rows from which widening float16 once for all of them is faster.
@inline(__always) var rowsWorthWidening: Int { 9 }

// MARK: Memory

/// Starts to bring a cache line; any address will do.
@inline(__always) func prefetch(_ address: UnsafeRawPointer) { pipit_prefetch(address) }

@inline(__always) func load(_ source: UnsafePointer<Float>) -> Lanes { _mm512_loadu_ps(source) }

/// The first `count` (0 to 16) lanes from memory, +0 in the others; reads nothing beyond.
@inline(__always) func load(_ source: UnsafePointer<Float>, count: Int) -> Lanes {
  _mm512_maskz_loadu_ps(lanes(below: count), source)
}

@inline(__always) func store(_ lanes: Lanes, _ target: UnsafeMutablePointer<Float>) {
  _mm512_storeu_ps(target, lanes)
}

/// Stores the first `count` (0 to 16) lanes.
@inline(__always)
func store(_ values: Lanes, _ target: UnsafeMutablePointer<Float>, count: Int) {
  _mm512_mask_storeu_ps(target, lanes(below: count), values)
}

/// Sixteen float16, widened.
@inline(__always) func load(float16 source: UnsafePointer<UInt16>) -> Lanes {
  _mm512_cvtph_ps(
    _mm256_loadu_si256(UnsafeRawPointer(source).assumingMemoryBound(to: __m256i.self)))
}

/// The low halves of the lanes.
@inline(__always)
func store(lowHalves lanes: IntegerLanes, _ target: UnsafeMutablePointer<UInt16>) {
  _mm256_storeu_si256(
    UnsafeMutableRawPointer(target).assumingMemoryBound(to: __m256i.self),
    _mm512_cvtepi32_epi16(lanes))
}

@inline(__always) private func lanes(below count: Int) -> UInt16 {
  UInt16(truncatingIfNeeded: (1 &<< count) &- 1)
}

// MARK: Arithmetic

@inline(__always) func splat(_ value: Float) -> Lanes { _mm512_set1_ps(value) }
@inline(__always) func zeros() -> Lanes { _mm512_setzero_ps() }
@inline(__always) func add(_ a: Lanes, _ b: Lanes) -> Lanes { _mm512_add_ps(a, b) }
@inline(__always) func subtract(_ a: Lanes, _ b: Lanes) -> Lanes { _mm512_sub_ps(a, b) }
@inline(__always) func multiply(_ a: Lanes, _ b: Lanes) -> Lanes { _mm512_mul_ps(a, b) }

/// Every lane of b times the one float in memory.
@inline(__always) func multiply(broadcast a: UnsafePointer<Float>, _ b: Lanes) -> Lanes {
  pipit_multiply_broadcast(a, b)
}

@inline(__always) func divide(_ a: Lanes, _ b: Lanes) -> Lanes { _mm512_div_ps(a, b) }

/// a > b ? a : b, so b if either is NaN.
@inline(__always) func larger(_ a: Lanes, _ b: Lanes) -> Lanes { _mm512_max_ps(a, b) }

/// a < b ? a : b, so b if either is NaN.
@inline(__always) func smaller(_ a: Lanes, _ b: Lanes) -> Lanes { _mm512_min_ps(a, b) }

/// Lanes `first..<end` of a, the others of b.
@inline(__always)
func select(_ first: Int, _ end: Int, _ a: Lanes, _ b: Lanes) -> Lanes {
  _mm512_mask_blend_ps(lanes(below: end) & ~lanes(below: first), b, a)
}

/// x · 2ⁿ for a whole n from −252 to 254 and an x near 1, rounded once.
@inline(__always) func scaled(_ x: Lanes, byPowerOf2 n: Lanes) -> Lanes {
  _mm512_scalef_ps(x, n)
}

// MARK: Integers and bits

@inline(__always) func splat(_ value: Int32) -> IntegerLanes { _mm512_set1_epi32(value) }
@inline(__always) func bits(_ lanes: Lanes) -> IntegerLanes { _mm512_castps_si512(lanes) }
@inline(__always) func floats(_ lanes: IntegerLanes) -> Lanes { _mm512_castsi512_ps(lanes) }

@inline(__always) func add(_ a: IntegerLanes, _ b: IntegerLanes) -> IntegerLanes {
  _mm512_add_epi32(a, b)
}

@inline(__always) func subtract(_ a: IntegerLanes, _ b: IntegerLanes) -> IntegerLanes {
  _mm512_sub_epi32(a, b)
}

@inline(__always) func and(_ a: IntegerLanes, _ b: IntegerLanes) -> IntegerLanes {
  _mm512_and_si512(a, b)
}

@inline(__always) func or(_ a: IntegerLanes, _ b: IntegerLanes) -> IntegerLanes {
  _mm512_or_si512(a, b)
}

@inline(__always) func shiftLeft(_ a: IntegerLanes, _ count: UInt32) -> IntegerLanes {
  _mm512_slli_epi32(a, count)
}

@inline(__always) func shiftRight(_ a: IntegerLanes, _ count: UInt32) -> IntegerLanes {
  _mm512_srli_epi32(a, count)
}

/// Fills with the sign.
@inline(__always) func shiftRightSigned(_ a: IntegerLanes, _ count: UInt32) -> IntegerLanes {
  _mm512_srai_epi32(a, count)
}

/// a < b ? x : y, for a and b whose difference does not overflow.
@inline(__always)
func selectLess(
  _ a: IntegerLanes, _ b: IntegerLanes, _ x: IntegerLanes, _ y: IntegerLanes
) -> IntegerLanes {
  _mm512_mask_blend_epi32(_mm512_movepi32_mask(_mm512_sub_epi32(a, b)), y, x)
}

// MARK: Across lanes

/// The sum of all lanes: +8, then +4, +2, +1.
@inline(__always) func sum(_ lanes: Lanes) -> Float {
  let eight = _mm512_add_ps(lanes, moved(lanes, 8))
  let four = _mm512_add_ps(eight, moved(eight, 4))
  let two = _mm512_add_ps(four, moved(four, 2))
  return _mm512_cvtss_f32(_mm512_add_ps(two, moved(two, 1)))
}

/// The largest of all lanes, in the order of `sum`.
@inline(__always) func largest(_ lanes: Lanes) -> Float {
  let eight = larger(lanes, moved(lanes, 8))
  let four = larger(eight, moved(eight, 4))
  let two = larger(four, moved(four, 2))
  return _mm512_cvtss_f32(larger(two, moved(two, 1)))
}

/// Lane i holds what lane i + distance held, for the lanes that the sums go on to use.
@inline(__always) func moved(_ lanes: Lanes, _ distance: Int32) -> Lanes {
  let first = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
  return _mm512_permutexvar_ps(_mm512_add_epi32(first, _mm512_set1_epi32(distance)), lanes)
}
