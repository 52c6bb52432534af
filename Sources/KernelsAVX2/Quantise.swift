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
    let magnitude = _mm256_set1_epi32(Int32.max)
    var index = 0
    while index < groups {
      let start = index &* group
      let zero = _mm256_setzero_ps()
      let x0 = _mm256_loadu_ps(x + start)
      let x1 = _mm256_loadu_ps(x + start + 8)
      let x2 = group == 32 ? _mm256_loadu_ps(x + start + 16) : zero
      let x3 = group == 32 ? _mm256_loadu_ps(x + start + 24) : zero
      // The bits of |x| compare as integers, NaN above infinity: no order of comparisons matters.
      let peak = maximum(
        _mm256_max_epu32(
          _mm256_max_epu32(
            _mm256_and_si256(_mm256_castps_si256(x0), magnitude),
            _mm256_and_si256(_mm256_castps_si256(x1), magnitude)),
          _mm256_max_epu32(
            _mm256_and_si256(_mm256_castps_si256(x2), magnitude),
            _mm256_and_si256(_mm256_castps_si256(x3), magnitude))))
      var scale: Float = 0
      var q0 = _mm256_setzero_si256()
      var q1 = q0
      var q2 = q0
      var q3 = q0
      if peak >= Float.infinity.bitPattern {
        scale = peak == Float.infinity.bitPattern ? Float.infinity : Float.nan
      } else if peak >= TileGeometry.smallestPeakBits {
        let a = Float(bitPattern: peak)
        scale = a / 127
        let inverse = _mm256_set1_ps(127 / a)
        q0 = rounded(_mm256_mul_ps(x0, inverse))
        q1 = rounded(_mm256_mul_ps(x1, inverse))
        q2 = rounded(_mm256_mul_ps(x2, inverse))
        q3 = rounded(_mm256_mul_ps(x3, inverse))
      }
      output.scales[first &+ index &* lanes] = scale
      output.sums[first &+ index &* lanes] = sum(
        _mm256_add_epi32(_mm256_add_epi32(q0, q1), _mm256_add_epi32(q2, q3)))
      // Packing works within halves of 128 bits; the permutation puts the dwords back in order.
      let bytes = _mm256_permutevar8x32_epi32(
        _mm256_packs_epi16(_mm256_packs_epi32(q0, q1), _mm256_packs_epi32(q2, q3)),
        _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7))
      store(bytes, codes + (start &* lanes &+ lane &* 4), lanes, steps: group / 4)
      index = index &+ 1
    }
  }

  @inline(always)
  private func rounded(_ value: __m256) -> __m256i {
    let shift = _mm256_set1_ps(TileGeometry.roundingShift)
    let bits = _mm256_castps_si256(_mm256_add_ps(value, shift))
    return _mm256_sub_epi32(bits, _mm256_castps_si256(shift))
  }

  @inline(always)
  private func maximum(_ values: __m256i) -> UInt32 {
    let four = _mm_max_epu32(values.lowHalf, values.highHalf)
    let two = _mm_max_epu32(four, _mm_unpackhi_epi64(four, four))
    let low = UInt32(truncatingIfNeeded: two[0])
    let high = UInt32(truncatingIfNeeded: two[0] &>> 32)
    return low > high ? low : high
  }

  @inline(always)
  private func sum(_ values: __m256i) -> Int32 {
    let four = _mm_add_epi32(values.lowHalf, values.highHalf)
    let two = _mm_add_epi32(four, _mm_unpackhi_epi64(four, four))
    return Int32(truncatingIfNeeded: two[0]) &+ Int32(truncatingIfNeeded: two[0] &>> 32)
  }

  /// Writes steps of four codes, `lanes` steps apart.
  @inline(always)
  private func store(
    _ bytes: __m256i, _ target: UnsafeMutableRawPointer, _ lanes: Int, steps: Int
  ) {
    if lanes == 1 {
      if steps == 8 {
        store256(target, bytes)
      } else {
        _mm_storeu_si128(target.assumingMemoryBound(to: __m128i_u.self), bytes.lowHalf)
      }
      return
    }
    let words = target.assumingMemoryBound(to: UInt32.self)
    storePair(bytes[0], words, lanes)
    storePair(bytes[1], words + 2 &* lanes, lanes)
    if steps == 8 {
      storePair(bytes[2], words + 4 &* lanes, lanes)
      storePair(bytes[3], words + 6 &* lanes, lanes)
    }
  }

  @inline(always)
  private func storePair(_ pair: Int64, _ words: UnsafeMutablePointer<UInt32>, _ lanes: Int) {
    words[0] = UInt32(truncatingIfNeeded: pair)
    words[lanes] = UInt32(truncatingIfNeeded: pair &>> 32)
  }
#endif
