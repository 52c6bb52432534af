import _Builtin_intrinsics.intel

// Codes of quantised keys and values on their way to and from lanes; as with Lanes.swift, three files
// give the same functions for three instruction sets.

/// Sixteen bytes, widened.
@inline(__always) func load(bytes source: UnsafePointer<UInt8>) -> IntegerLanes {
  _mm512_cvtepu8_epi32(
    _mm_loadu_si128(UnsafeRawPointer(source).assumingMemoryBound(to: __m128i.self)))
}

/// The low bytes of the lanes, none of which is above 255.
@inline(__always)
func store(lowBytes lanes: IntegerLanes, _ target: UnsafeMutablePointer<UInt8>) {
  _mm_storeu_si128(
    UnsafeMutableRawPointer(target).assumingMemoryBound(to: __m128i.self),
    _mm512_cvtepi32_epi8(lanes))
}

/// Whole numbers from 0 to 255 as floats.
@inline(__always) func converted(_ lanes: IntegerLanes) -> Lanes { _mm512_cvtepi32_ps(lanes) }

/// The low four bits of lanes as floats.
///
/// A permutation looks at no other bits, so it does the masking and the conversion in one.
@inline(__always) func lowNibbles(_ lanes: IntegerLanes) -> Lanes {
  _mm512_permutexvar_ps(
    lanes, _mm512_set_ps(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0))
}
