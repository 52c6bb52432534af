import _Builtin_intrinsics.intel

// Codes of quantised keys and values on their way to and from lanes; as with Lanes.swift, three files
// give the same functions for three instruction sets.

/// Sixteen bytes, widened.
@inline(__always) func load(bytes source: UnsafePointer<UInt8>) -> IntegerLanes {
  let bytes = UnsafeRawPointer(source)
  return (
    _mm256_cvtepu8_epi32(_mm_loadl_epi64(bytes.assumingMemoryBound(to: __m128i.self))),
    _mm256_cvtepu8_epi32(_mm_loadl_epi64((bytes + 8).assumingMemoryBound(to: __m128i.self)))
  )
}

/// The low bytes of the lanes, none of which is above 255.
@inline(__always)
func store(lowBytes lanes: IntegerLanes, _ target: UnsafeMutablePointer<UInt8>) {
  // Packing interleaves the halves of both registers.
  let halves = _mm256_packus_epi32(lanes.0, lanes.1)
  let bytes = _mm256_castsi256_ps(_mm256_packus_epi16(halves, halves))
  let ordered = _mm256_permutevar8x32_ps(bytes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7))
  _mm_storeu_si128(
    UnsafeMutableRawPointer(target).assumingMemoryBound(to: __m128i.self),
    _mm256_castsi256_si128(_mm256_castps_si256(ordered)))
}

/// Whole numbers from 0 to 255 as floats.
@inline(__always) func converted(_ lanes: IntegerLanes) -> Lanes {
  (_mm256_cvtepi32_ps(lanes.0), _mm256_cvtepi32_ps(lanes.1))
}

/// The low four bits of lanes as floats.
@inline(__always) func lowNibbles(_ lanes: IntegerLanes) -> Lanes {
  converted(and(lanes, splat(15)))
}
