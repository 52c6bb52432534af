#if arch(x86_64)
  package import KernelTypes
  import _Builtin_intrinsics.intel

  /// Quantises one token (N1).
  package func quantise(_ job: UnsafePointer<QuantiseJob>, _ token: Int) {
    let output = job.pointee.output
    let lanes = output.lanes
    let group = output.group
    let columns = output.columns
    let block = token / lanes
    let lane = token &- block &* lanes
    let x = job.pointee.input + token &* job.pointee.inputStride
    let codes = UnsafeMutableRawPointer(output.codes + block &* lanes &* columns)
    let groups = columns / group
    let first = block &* lanes &* groups &+ lane
    var index = 0
    while index < groups {
      let start = index &* group
      let low = _mm512_loadu_ps(x + start)
      let high = group == 32 ? _mm512_loadu_ps(x + start + 16) : _mm512_setzero_ps()
      let magnitude = _mm512_set1_epi32(Int32.max)
      // The bits of |x| compare as integers, NaN above infinity: no order of comparisons matters.
      let peak = _mm512_reduce_max_epu32(
        _mm512_max_epu32(
          _mm512_and_si512(_mm512_castps_si512(low), magnitude),
          _mm512_and_si512(_mm512_castps_si512(high), magnitude)))
      var scale: Float = 0
      var lowCodes = _mm512_setzero_si512()
      var highCodes = _mm512_setzero_si512()
      if peak >= Float.infinity.bitPattern {
        scale = peak == Float.infinity.bitPattern ? Float.infinity : Float.nan
      } else if peak >= TileGeometry.smallestPeakBits {
        let a = Float(bitPattern: peak)
        scale = a / 127
        let inverse = _mm512_set1_ps(127 / a)
        lowCodes = rounded(_mm512_mul_ps(low, inverse))
        highCodes = rounded(_mm512_mul_ps(high, inverse))
      }
      output.scales[first &+ index &* lanes] = scale
      output.sums[first &+ index &* lanes] = Int32(
        truncatingIfNeeded: _mm512_reduce_add_epi32(_mm512_add_epi32(lowCodes, highCodes)))
      store(lowCodes, codes, start, lane, lanes)
      if group == 32 {
        store(highCodes, codes, start &+ 16, lane, lanes)
      }
      index = index &+ 1
    }
  }

  @inline(always)
  private func rounded(_ value: __m512) -> __m512i {
    let shift = _mm512_set1_ps(TileGeometry.roundingShift)
    let bits = _mm512_castps_si512(_mm512_add_ps(value, shift))
    return _mm512_sub_epi32(bits, _mm512_castps_si512(shift))
  }

  /// Writes sixteen codes from input `start`: steps of four inputs lie `lanes` steps apart.
  @inline(always)
  private func store(
    _ values: __m512i, _ codes: UnsafeMutableRawPointer, _ start: Int, _ lane: Int, _ lanes: Int
  ) {
    let bytes = _mm512_cvtepi32_epi8(values)
    let target = codes + (start &* lanes &+ lane &* 4)
    if lanes == 1 {
      _mm_storeu_si128(target.assumingMemoryBound(to: __m128i_u.self), bytes)
    } else {
      let steps = target.assumingMemoryBound(to: UInt32.self)
      let low = UInt64(bitPattern: bytes[0])
      let high = UInt64(bitPattern: bytes[1])
      steps[0] = UInt32(truncatingIfNeeded: low)
      steps[lanes] = UInt32(truncatingIfNeeded: low &>> 32)
      steps[2 &* lanes] = UInt32(truncatingIfNeeded: high)
      steps[3 &* lanes] = UInt32(truncatingIfNeeded: high &>> 32)
    }
  }
#endif
