#if arch(x86_64)
  import KernelTypes
  import _Builtin_intrinsics.intel

  /// What is added to the dot of an activation group: −z·Σq, and what the width left out.
  @inline(always)
  func correction<W: CodeWidth, S: Scales>(
    _: W.Type, _: S.Type, _ zeroTerms: UnsafePointer<Int32>, _ sums: UnsafePointer<Int32>,
    _ index: Int
  ) -> __m256i {
    let zero = S.isAffine ? 0 : zeroTerms[index]
    return _mm256_set1_epi32(W.bias == 0 ? zero : zero &+ W.bias &* sums[index])
  }

  /// acc + s_w·t, and for affine matrices + b·Σ s_x·Σq.
  @inline(always)
  private func accumulate<S: Scales>(
    _ total: __m256, _ partial: __m256, _ scales: S, _ group: Int, _ row: Int,
    _ groupSum: UnsafePointer<Float>
  ) -> __m256 {
    let total = _mm256_add_ps(total, _mm256_mul_ps(scales.scale(group, row), partial))
    guard S.isAffine else { return total }
    return _mm256_add_ps(
      total, _mm256_mul_ps(scales.offset(group, row), _mm256_set1_ps(groupSum[0])))
  }

  /// Tiles times one token.
  @inline(never)
  func multiplyRows<C: Codes, S: Scales, G: GroupShape>(
    _: C.Type, _: S.Type, _: G.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int,
    _ count: Int
  ) {
    let input = UnsafeRawPointer(job.pointee.input.codes).assumingMemoryBound(to: Int32.self)
    let inputScales = UnsafePointer(job.pointee.input.scales)
    let sums = UnsafePointer(job.pointee.input.sums)
    let zeroTerms = job.pointee.zeroTerms
    let groupSums = job.pointee.groupSums
    let blocks = job.pointee.matrix.columns / 32
    let codesSection = job.pointee.matrix.codesSection
    let chunkStride = job.pointee.matrix.chunkStride
    var index = first
    while index < first &+ count {
      var chunk = job.pointee.matrix.tiles + index &* job.pointee.matrix.tileStride
      var low = _mm256_setzero_ps()
      var high = low
      var block = 0
      var group = 0
      while block < blocks {
        let scales = S(job.pointee.matrix, chunk: chunk)
        var codes = chunk + codesSection
        // The group inside its chunk.
        var at = 0
        repeat {
          if G.blocks == 0 {
            let q = input + block &* 8
            let a = C.unpack(codes)
            let b = C.unpack(codes + 32)
            let first = correction(C.Width.self, S.self, zeroTerms, sums, group)
            let firstScale = _mm256_set1_ps(inputScales[group])
            let firstSum = groupSums + group
            low = accumulate(
              low, scaled(C.Width.dot4(a.s0, a.s1, a.s2, a.s3, q, 1), first, firstScale), scales,
              at, 0, firstSum)
            high = accumulate(
              high, scaled(C.Width.dot4(b.s0, b.s1, b.s2, b.s3, q, 1), first, firstScale), scales,
              at, 8, firstSum)
            let second = correction(C.Width.self, S.self, zeroTerms, sums, group &+ 1)
            let secondScale = _mm256_set1_ps(inputScales[group &+ 1])
            let secondSum = groupSums + (group &+ 1)
            low = accumulate(
              low, scaled(C.Width.dot4(a.s4, a.s5, a.s6, a.s7, q + 4, 1), second, secondScale),
              scales, at &+ 1, 0, secondSum)
            high = accumulate(
              high, scaled(C.Width.dot4(b.s4, b.s5, b.s6, b.s7, q + 4, 1), second, secondScale),
              scales, at &+ 1, 8, secondSum)
            codes += C.blockBytes
            block = block &+ 1
            group = group &+ 2
            at = at &+ 2
          } else {
            var lowPartial = _mm256_setzero_ps()
            var highPartial = lowPartial
            var inside = 0
            while inside < G.blocks {
              let q = input + block &* 8
              let a = C.unpack(codes)
              let b = C.unpack(codes + 32)
              let first = block &* G.halves
              let added = correction(C.Width.self, S.self, zeroTerms, sums, first)
              let scale = _mm256_set1_ps(inputScales[first])
              let aTerm = scaled(firstDot(C.self, G.self, a, q), added, scale)
              let bTerm = scaled(firstDot(C.self, G.self, b, q), added, scale)
              lowPartial = inside == 0 ? aTerm : _mm256_add_ps(lowPartial, aTerm)
              highPartial = inside == 0 ? bTerm : _mm256_add_ps(highPartial, bTerm)
              if G.isHalved {
                let added = correction(C.Width.self, S.self, zeroTerms, sums, first &+ 1)
                let scale = _mm256_set1_ps(inputScales[first &+ 1])
                lowPartial = _mm256_add_ps(
                  lowPartial,
                  scaled(C.Width.dot4(a.s4, a.s5, a.s6, a.s7, q + 4, 1), added, scale))
                highPartial = _mm256_add_ps(
                  highPartial,
                  scaled(C.Width.dot4(b.s4, b.s5, b.s6, b.s7, q + 4, 1), added, scale))
              }
              codes += C.blockBytes
              block = block &+ 1
              inside = inside &+ 1
            }
            low = accumulate(low, lowPartial, scales, at, 0, groupSums + group)
            high = accumulate(high, highPartial, scales, at, 8, groupSums + group)
            group = group &+ 1
            at = at &+ 1
          }
        } while at < S.groups && block < blocks
        chunk += chunkStride
      }
      storeTile(
        low, high, job.pointee.output + index &* 16, job.pointee.matrix.rows &- index &* 16,
        job.pointee.adds)
      index = index &+ 1
    }
  }

  /// The dot of a block's first activation group.
  @inline(always)
  private func firstDot<C: Codes, G: GroupShape>(
    _: C.Type, _: G.Type, _ w: Steps, _ q: UnsafePointer<Int32>
  ) -> __m256i {
    G.isHalved ? C.Width.dot4(w.s0, w.s1, w.s2, w.s3, q, 1) : C.Width.dot8(w, q, 1)
  }

  @inline(always)
  func scaled(_ dot: __m256i, _ added: __m256i, _ scale: __m256) -> __m256 {
    _mm256_mul_ps(scale, _mm256_cvtepi32_ps(_mm256_add_epi32(dot, added)))
  }

  /// Writes up to 16 rows of one token.
  @inline(always)
  func storeTile(
    _ low: __m256, _ high: __m256, _ output: UnsafeMutablePointer<Float>, _ rows: Int,
    _ adds: Bool
  ) {
    storeEight(low, output, rows, adds)
    if rows > 8 {
      storeEight(high, output + 8, rows &- 8, adds)
    }
  }

  @inline(always)
  private func storeEight(
    _ value: __m256, _ output: UnsafeMutablePointer<Float>, _ rows: Int, _ adds: Bool
  ) {
    if rows >= 8 {
      _mm256_storeu_ps(output, adds ? _mm256_add_ps(_mm256_loadu_ps(output), value) : value)
    } else {
      let mask = _mm256_cmpgt_epi32(
        _mm256_set1_epi32(Int32(truncatingIfNeeded: rows)),
        _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
      let sum = adds ? _mm256_add_ps(_mm256_maskload_ps(output, mask), value) : value
      _mm256_maskstore_ps(output, mask, sum)
    }
  }
#endif
