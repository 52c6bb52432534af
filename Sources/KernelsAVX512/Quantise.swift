#if arch(x86_64)
  package import KernelTypes
  import _Builtin_intrinsics.intel

  // Four groups at a time: a maximum or a sum across sixteen lanes costs as much for four vectors
  // as for one when the vectors are interleaved first. Only the order of integer operations
  // differs from one group at a time, so the bits are the same.

  /// Quantises one token (N1).
  package func quantise(_ job: UnsafePointer<QuantiseJob>, _ token: Int) {
    let output = job.pointee.output
    let lanes = output.lanes
    let group = output.group
    let block = token / lanes
    let lane = token &- block &* lanes
    let groups = output.columns / group
    let first = block &* lanes &* groups &+ lane
    let target = Target(
      lanes: lanes,
      codes: UnsafeMutableRawPointer(
        output.codes + (block &* lanes &* output.columns &+ lane &* 4)),
      scales: output.scales + first, sums: output.sums + first)
    let x = job.pointee.input + token &* job.pointee.inputStride
    if group == 32 {
      quantiseGroups(Pairs.self, x, groups, target)
    } else {
      quantiseGroups(Singles.self, x, groups, target)
    }
  }

  /// Where a token's codes, scales and sums begin.
  private struct Target {
    let lanes: Int
    let codes: UnsafeMutableRawPointer
    let scales: UnsafeMutablePointer<Float>
    let sums: UnsafeMutablePointer<Int32>

    @inline(always)
    func store(_ index: Int, scale: Float, sum: Int32) {
      scales[index &* lanes] = scale
      sums[index &* lanes] = sum
    }

    /// Writes sixteen codes from input `start`: steps of four inputs lie `lanes` steps apart.
    @inline(always)
    func store(_ values: __m512i, _ start: Int) {
      let bytes = _mm512_cvtepi32_epi8(values)
      let target = codes + start &* lanes
      if lanes == 1 {
        _mm_storeu_si128(target.assumingMemoryBound(to: __m128i_u.self), bytes)
        return
      }
      let steps = target.assumingMemoryBound(to: UInt32.self)
      let low = UInt64(bitPattern: bytes[0])
      let high = UInt64(bitPattern: bytes[1])
      steps[0] = UInt32(truncatingIfNeeded: low)
      steps[lanes] = UInt32(truncatingIfNeeded: low &>> 32)
      steps[2 &* lanes] = UInt32(truncatingIfNeeded: high)
      steps[3 &* lanes] = UInt32(truncatingIfNeeded: high &>> 32)
    }
  }

  /// Groups of one or two vectors.
  private protocol GroupVectors {
    static var inputs: Int { get }
  }
  private enum Singles: GroupVectors { @inline(always) static var inputs: Int { 16 } }
  private enum Pairs: GroupVectors { @inline(always) static var inputs: Int { 32 } }

  @inline(never)
  private func quantiseGroups<V: GroupVectors>(
    _: V.Type, _ x: UnsafePointer<Float>, _ groups: Int, _ target: Target
  ) {
    var index = 0
    while index &+ 4 <= groups {
      if !quantiseFour(V.self, x, index, target) {
        quantiseOne(V.self, x, index, target)
        quantiseOne(V.self, x, index &+ 1, target)
        quantiseOne(V.self, x, index &+ 2, target)
        quantiseOne(V.self, x, index &+ 3, target)
      }
      index = index &+ 4
    }
    while index < groups {
      quantiseOne(V.self, x, index, target)
      index = index &+ 1
    }
  }

  /// The bits of |x| compare as integers, NaN above infinity: no order of comparisons matters.
  @inline(always)
  private func magnitudes<V: GroupVectors>(_: V.Type, _ x: UnsafePointer<Float>) -> __m512i {
    let mask = _mm512_set1_epi32(Int32.max)
    let low = _mm512_and_si512(_mm512_castps_si512(_mm512_loadu_ps(x)), mask)
    guard V.inputs == 32 else { return low }
    return _mm512_max_epu32(
      low, _mm512_and_si512(_mm512_castps_si512(_mm512_loadu_ps(x + 16)), mask))
  }

  @inline(always)
  private func rounded(_ x: UnsafePointer<Float>, _ inverse: __m512) -> __m512i {
    let shift = _mm512_set1_ps(TileGeometry.roundingShift)
    let sum = _mm512_add_ps(_mm512_mul_ps(_mm512_loadu_ps(x), inverse), shift)
    return _mm512_sub_epi32(_mm512_castps_si512(sum), _mm512_castps_si512(shift))
  }

  /// Writes the codes of a group and returns sixteen partial sums of them.
  @inline(always)
  private func encode<V: GroupVectors>(
    _: V.Type, _ x: UnsafePointer<Float>, _ start: Int, _ inverse: Float, _ target: Target
  ) -> __m512i {
    let inverse = _mm512_set1_ps(inverse)
    let low = rounded(x + start, inverse)
    target.store(low, start)
    guard V.inputs == 32 else { return low }
    let high = rounded(x + start + 16, inverse)
    target.store(high, start &+ 16)
    return _mm512_add_epi32(low, high)
  }

  /// Four groups; false, with nothing written, if one of them is not finite.
  @inline(always)
  private func quantiseFour<V: GroupVectors>(
    _: V.Type, _ x: UnsafePointer<Float>, _ index: Int, _ target: Target
  ) -> Bool {
    let start = index &* V.inputs
    let peaks = maxima(
      magnitudes(V.self, x + start), magnitudes(V.self, x + start + V.inputs),
      magnitudes(V.self, x + start + 2 &* V.inputs), magnitudes(V.self, x + start + 3 &* V.inputs))
    let infinity = _mm_set1_epi32(Int32(bitPattern: Float.infinity.bitPattern))
    guard _mm_movemask_epi8(_mm_cmplt_epi32(peaks, infinity)) == 0xFFFF else { return false }
    // A group below the threshold gets zeros; what its division gives is masked away.
    let isLarge = _mm_castsi128_ps(
      _mm_cmpgt_epi32(
        peaks, _mm_set1_epi32(Int32(bitPattern: TileGeometry.smallestPeakBits) &- 1)))
    let a = _mm_castsi128_ps(peaks)
    let scales = _mm_and_ps(isLarge, _mm_div_ps(a, _mm_set1_ps(127)))
    let inverses = _mm_and_ps(isLarge, _mm_div_ps(_mm_set1_ps(127), a))
    let sums = totals(
      encode(V.self, x, start, inverses[0], target),
      encode(V.self, x, start &+ V.inputs, inverses[1], target),
      encode(V.self, x, start &+ 2 &* V.inputs, inverses[2], target),
      encode(V.self, x, start &+ 3 &* V.inputs, inverses[3], target))
    if target.lanes == 1 {
      _mm_storeu_ps(target.scales + index, scales)
      _mm_storeu_si128(
        UnsafeMutableRawPointer(target.sums + index).assumingMemoryBound(to: __m128i_u.self), sums)
    } else {
      let low = UInt64(bitPattern: sums[0])
      let high = UInt64(bitPattern: sums[1])
      target.store(index, scale: scales[0], sum: Int32(truncatingIfNeeded: low))
      target.store(index &+ 1, scale: scales[1], sum: Int32(truncatingIfNeeded: low &>> 32))
      target.store(index &+ 2, scale: scales[2], sum: Int32(truncatingIfNeeded: high))
      target.store(index &+ 3, scale: scales[3], sum: Int32(truncatingIfNeeded: high &>> 32))
    }
    return true
  }

  @inline(always)
  private func quantiseOne<V: GroupVectors>(
    _: V.Type, _ x: UnsafePointer<Float>, _ index: Int, _ target: Target
  ) {
    let start = index &* V.inputs
    let peak = _mm512_reduce_max_epu32(magnitudes(V.self, x + start))
    var scale: Float = 0
    if peak >= Float.infinity.bitPattern {
      scale = peak == Float.infinity.bitPattern ? Float.infinity : Float.nan
    } else if peak >= TileGeometry.smallestPeakBits {
      let a = Float(bitPattern: peak)
      let sums = encode(V.self, x, start, 127 / a, target)
      target.store(
        index, scale: a / 127, sum: Int32(truncatingIfNeeded: _mm512_reduce_add_epi32(sums)))
      return
    }
    target.store(_mm512_setzero_si512(), start)
    if V.inputs == 32 {
      target.store(_mm512_setzero_si512(), start &+ 16)
    }
    target.store(index, scale: scale, sum: 0)
  }

  /// The maxima of four vectors.
  @inline(always)
  private func maxima(_ a: __m512i, _ b: __m512i, _ c: __m512i, _ d: __m512i) -> __m128i {
    let ab = _mm512_max_epu32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b))
    let cd = _mm512_max_epu32(_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d))
    let all = _mm512_max_epu32(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd))
    let half = _mm256_max_epu32(all.lowHalf, all.highHalf)
    return _mm_max_epu32(half.lowHalf, half.highHalf)
  }

  /// The sums of four vectors.
  @inline(always)
  private func totals(_ a: __m512i, _ b: __m512i, _ c: __m512i, _ d: __m512i) -> __m128i {
    let ab = _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b))
    let cd = _mm512_add_epi32(_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d))
    let all = _mm512_add_epi32(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd))
    let half = _mm256_add_epi32(all.lowHalf, all.highHalf)
    return _mm_add_epi32(half.lowHalf, half.highHalf)
  }
#endif
