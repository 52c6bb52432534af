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
    _ groupSums: UnsafePointer<Float>
  ) -> __m256 {
    let total = _mm256_add_ps(total, _mm256_mul_ps(scales.scale(group, row), partial))
    guard S.isAffine else { return total }
    return _mm256_add_ps(
      total, _mm256_mul_ps(scales.offset(group, row), _mm256_set1_ps(groupSums[group])))
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
    var index = first
    while index < first &+ count {
      let tile = job.pointee.matrix.tiles + index &* job.pointee.matrix.tileStride
      let scales = S(job.pointee.matrix, tile: tile)
      var codes = tile + job.pointee.matrix.codesSection
      var low = _mm256_setzero_ps()
      var high = low
      var block = 0
      var group = 0
      while block < blocks {
        if G.blocks == 0 {
          let q = input + block &* 8
          let a = C.unpack(codes)
          let b = C.unpack(codes + 32)
          let first = correction(C.Width.self, S.self, zeroTerms, sums, group)
          let firstScale = _mm256_set1_ps(inputScales[group])
          low = accumulate(
            low, scaled(C.Width.dot4(a.s0, a.s1, a.s2, a.s3, q, 1), first, firstScale), scales,
            group, 0, groupSums)
          high = accumulate(
            high, scaled(C.Width.dot4(b.s0, b.s1, b.s2, b.s3, q, 1), first, firstScale), scales,
            group, 8, groupSums)
          let second = correction(C.Width.self, S.self, zeroTerms, sums, group &+ 1)
          let secondScale = _mm256_set1_ps(inputScales[group &+ 1])
          low = accumulate(
            low, scaled(C.Width.dot4(a.s4, a.s5, a.s6, a.s7, q + 4, 1), second, secondScale),
            scales, group &+ 1, 0, groupSums)
          high = accumulate(
            high, scaled(C.Width.dot4(b.s4, b.s5, b.s6, b.s7, q + 4, 1), second, secondScale),
            scales, group &+ 1, 8, groupSums)
          codes += C.blockBytes
          block = block &+ 1
          group = group &+ 2
        } else {
          var lowPartial = _mm256_setzero_ps()
          var highPartial = lowPartial
          var inside = 0
          while inside < G.blocks {
            let q = input + block &* 8
            let added = correction(C.Width.self, S.self, zeroTerms, sums, block)
            let scale = _mm256_set1_ps(inputScales[block])
            let a = scaled(C.Width.dot8(C.unpack(codes), q, 1), added, scale)
            let b = scaled(C.Width.dot8(C.unpack(codes + 32), q, 1), added, scale)
            lowPartial = inside == 0 ? a : _mm256_add_ps(lowPartial, a)
            highPartial = inside == 0 ? b : _mm256_add_ps(highPartial, b)
            codes += C.blockBytes
            block = block &+ 1
            inside = inside &+ 1
          }
          low = accumulate(low, lowPartial, scales, group, 0, groupSums)
          high = accumulate(high, highPartial, scales, group, 8, groupSums)
          group = group &+ 1
        }
      }
      storeTile(
        low, high, job.pointee.output + index &* 16, job.pointee.matrix.rows &- index &* 16,
        job.pointee.adds)
      index = index &+ 1
    }
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
