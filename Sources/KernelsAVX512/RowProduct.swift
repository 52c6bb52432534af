#if arch(x86_64)
  import KernelTypes
  import _Builtin_intrinsics.intel

  @inline(always)
  private func dot(
    _ sum: __m512i, _ w0: __m512i, _ w1: __m512i, _ w2: __m512i, _ w3: __m512i,
    _ codes: UnsafePointer<Int32>
  ) -> __m512i {
    var sum = _mm512_dpbusd_epi32(sum, w0, _mm512_set1_epi32(codes[0]))
    sum = _mm512_dpbusd_epi32(sum, w1, _mm512_set1_epi32(codes[1]))
    sum = _mm512_dpbusd_epi32(sum, w2, _mm512_set1_epi32(codes[2]))
    return _mm512_dpbusd_epi32(sum, w3, _mm512_set1_epi32(codes[3]))
  }

  @inline(always)
  private func start<S: Scales>(
    _ scales: S.Type, _ zeroTerms: UnsafePointer<Int32>, _ index: Int
  ) -> __m512i {
    S.isAffine ? _mm512_setzero_si512() : _mm512_set1_epi32(zeroTerms[index])
  }

  /// s_x·Σuq.
  @inline(always)
  func scaled(_ sum: __m512i, _ scale: Float) -> __m512 {
    _mm512_mul_ps(_mm512_set1_ps(scale), _mm512_cvtepi32_ps(sum))
  }

  /// acc + s_w·t, and for affine matrices + b·Σ s_x·Σq.
  @inline(always)
  func accumulate<S: Scales>(
    _ total: __m512, _ partial: __m512, _ scales: S, _ group: Int, _ groupSum: UnsafePointer<Float>
  ) -> __m512 {
    let total = _mm512_add_ps(total, _mm512_mul_ps(scales.scale(group), partial))
    guard S.isAffine else { return total }
    return _mm512_add_ps(
      total, _mm512_mul_ps(scales.offset(group), _mm512_set1_ps(groupSum[0])))
  }

  /// s_x·Σuq of the activation groups of a block; the second only if it is halved.
  @inline(always)
  private func blockTerms<C: Codes, S: Scales, G: GroupShape>(
    _: C.Type, _: S.Type, _: G.Type, _ w: Steps, _ q: UnsafePointer<Int32>,
    _ inputScales: UnsafePointer<Float>, _ zeroTerms: UnsafePointer<Int32>, _ block: Int
  ) -> (first: __m512, second: __m512) {
    let at = block &* G.halves
    let low = dot(start(S.self, zeroTerms, at), w.s0, w.s1, w.s2, w.s3, q)
    guard G.isHalved else {
      let sum = dot(low, w.s4, w.s5, w.s6, w.s7, q + 4)
      return (scaled(sum, inputScales[at]), _mm512_setzero_ps())
    }
    let high = dot(start(S.self, zeroTerms, at &+ 1), w.s4, w.s5, w.s6, w.s7, q + 4)
    return (scaled(low, inputScales[at]), scaled(high, inputScales[at &+ 1]))
  }

  /// Tiles times one token.
  @inline(never)
  func multiplyRows<C: Codes, S: Scales, G: GroupShape>(
    _: C.Type, _: S.Type, _: G.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int,
    _ count: Int
  ) {
    let input = UnsafeRawPointer(job.pointee.input.codes).assumingMemoryBound(to: Int32.self)
    let inputScales = UnsafePointer(job.pointee.input.scales)
    let zeroTerms = job.pointee.zeroTerms
    let groupSums = job.pointee.groupSums
    let blocks = job.pointee.matrix.columns / 32
    let codesSection = job.pointee.matrix.codesSection
    let chunkStride = job.pointee.matrix.chunkStride
    var index = first
    while index < first &+ count {
      var chunk = job.pointee.matrix.tiles + index &* job.pointee.matrix.tileStride
      var total = _mm512_setzero_ps()
      var block = 0
      var group = 0
      while block < blocks {
        let scales = S(job.pointee.matrix, chunk: chunk)
        var codes = chunk + codesSection
        // The group inside its chunk.
        var inside = 0
        repeat {
          if G.blocks == 0 {
            let w = C.unpack(codes)
            let q = input + block &* 8
            let low = dot(start(S.self, zeroTerms, group), w.s0, w.s1, w.s2, w.s3, q)
            let high = dot(start(S.self, zeroTerms, group &+ 1), w.s4, w.s5, w.s6, w.s7, q + 4)
            total = accumulate(
              total, scaled(low, inputScales[group]), scales, inside, groupSums + group)
            total = accumulate(
              total, scaled(high, inputScales[group &+ 1]), scales, inside &+ 1,
              groupSums + (group &+ 1))
            codes += C.blockBytes
            block = block &+ 1
            group = group &+ 2
            inside = inside &+ 2
          } else {
            var partial = _mm512_setzero_ps()
            let start = block
            while block < start &+ G.blocks {
              let term = blockTerms(
                C.self, S.self, G.self, C.unpack(codes), input + block &* 8, inputScales,
                zeroTerms, block)
              partial = block == start ? term.first : _mm512_add_ps(partial, term.first)
              if G.isHalved { partial = _mm512_add_ps(partial, term.second) }
              codes += C.blockBytes
              block = block &+ 1
            }
            total = accumulate(total, partial, scales, inside, groupSums + group)
            group = group &+ 1
            inside = inside &+ 1
          }
        } while inside < S.groups && block < blocks
        chunk += chunkStride
      }
      storeRows(
        total, job.pointee.output + index &* 16, job.pointee.matrix.rows &- index &* 16,
        job.pointee.adds)
      index = index &+ 1
    }
  }

  /// Writes up to 16 rows of one token.
  @inline(always)
  func storeRows(
    _ value: __m512, _ output: UnsafeMutablePointer<Float>, _ rows: Int, _ adds: Bool
  ) {
    if rows >= 16 {
      _mm512_storeu_ps(output, adds ? _mm512_add_ps(_mm512_loadu_ps(output), value) : value)
    } else {
      let mask = __mmask16(truncatingIfNeeded: (1 &<< rows) &- 1)
      let sum = adds ? _mm512_add_ps(_mm512_maskz_loadu_ps(mask, output), value) : value
      _mm512_mask_storeu_ps(output, mask, sum)
    }
  }
#endif
