#if arch(x86_64)
  import KernelTypes
  import _Builtin_intrinsics.intel

  /// Blocks of 32 inputs in a weight group.
  protocol GroupShape {
    static var blocks: Int { get }
  }

  extension GroupShape {
    /// Inputs of a weight group.
    @inline(always) static var inputs: Int { blocks == 0 ? 16 : blocks &* 32 }
    /// Inputs of an activation group.
    @inline(always) static var activationInputs: Int { blocks == 0 ? 16 : 32 }
  }

  /// Groups of 16: two in a block.
  enum HalfBlock: GroupShape { @inline(always) static var blocks: Int { 0 } }
  enum OneBlock: GroupShape { @inline(always) static var blocks: Int { 1 } }
  enum TwoBlocks: GroupShape { @inline(always) static var blocks: Int { 2 } }
  enum FourBlocks: GroupShape { @inline(always) static var blocks: Int { 4 } }

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

  /// acc + s_w·t, and for affine matrices + b·Σ s_x·Σq.
  @inline(always)
  private func accumulate<S: Scales>(
    _ total: __m512, _ partial: __m512, _ scales: S, _ group: Int, _ groupSums: UnsafePointer<Float>
  ) -> __m512 {
    let total = _mm512_add_ps(total, _mm512_mul_ps(scales.scale(group), partial))
    guard S.isAffine else { return total }
    return _mm512_add_ps(
      total, _mm512_mul_ps(scales.offset(group), _mm512_set1_ps(groupSums[group])))
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
    var index = first
    while index < first &+ count {
      let tile = job.pointee.matrix.tiles + index &* job.pointee.matrix.tileStride
      let scales = S(job.pointee.matrix, tile: tile)
      var codes = tile + job.pointee.matrix.codesSection
      var total = _mm512_setzero_ps()
      var block = 0
      var group = 0
      while block < blocks {
        if G.blocks == 0 {
          let w = C.unpack(codes)
          let q = input + block &* 8
          let low = dot(start(S.self, zeroTerms, group), w.s0, w.s1, w.s2, w.s3, q)
          let high = dot(start(S.self, zeroTerms, group &+ 1), w.s4, w.s5, w.s6, w.s7, q + 4)
          total = accumulate(
            total, _mm512_mul_ps(_mm512_set1_ps(inputScales[group]), _mm512_cvtepi32_ps(low)),
            scales, group, groupSums)
          total = accumulate(
            total,
            _mm512_mul_ps(_mm512_set1_ps(inputScales[group &+ 1]), _mm512_cvtepi32_ps(high)),
            scales, group &+ 1, groupSums)
          codes += C.blockBytes
          block = block &+ 1
          group = group &+ 2
        } else {
          var partial = _mm512_setzero_ps()
          var inside = 0
          while inside < G.blocks {
            let w = C.unpack(codes)
            let q = input + block &* 8
            let low = dot(start(S.self, zeroTerms, block), w.s0, w.s1, w.s2, w.s3, q)
            let sum = dot(low, w.s4, w.s5, w.s6, w.s7, q + 4)
            let scaled = _mm512_mul_ps(
              _mm512_set1_ps(inputScales[block]), _mm512_cvtepi32_ps(sum))
            partial = inside == 0 ? scaled : _mm512_add_ps(partial, scaled)
            codes += C.blockBytes
            block = block &+ 1
            inside = inside &+ 1
          }
          total = accumulate(total, partial, scales, group, groupSums)
          group = group &+ 1
        }
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
