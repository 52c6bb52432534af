#if arch(x86_64)
  import KernelTypes
  import _Builtin_intrinsics.intel

  // Products with two to four tokens: as for one, codes go from the tile to registers and are used
  // at once, so that memory sets the pace and not the expansion of panels. The float operations of a
  // row are those of `multiplyRows`, in the same order.

  @inline(never)
  func multiplyFew<C: Codes, S: Scales, G: GroupShape>(
    _: C.Type, _: S.Type, _: G.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int,
    _ count: Int
  ) {
    let blocks = job.pointee.matrix.columns / 32
    var prefetch = Prefetch(job.pointee.matrix, first, count)
    var index = first
    while index < first &+ count {
      let tile = job.pointee.matrix.tiles + index &* job.pointee.matrix.tileStride
      let scales = S(job.pointee.matrix, tile: tile)
      var codes = tile + job.pointee.matrix.codesSection
      var q = UnsafeRawPointer(job.pointee.input.codes).assumingMemoryBound(to: Int32.self)
      var inputScales = UnsafePointer(job.pointee.input.scales)
      var zeroTerms = job.pointee.zeroTerms
      var groupSums = job.pointee.groupSums
      var total = FourFloats.zero
      var block = 0
      var group = 0
      while block < blocks {
        if G.blocks == 0 {
          let w = C.unpack(codes)
          var low = S.isAffine ? FourTokens.zero : FourTokens(broadcasting: zeroTerms)
          dot(&low, w.s0, w.s1, w.s2, w.s3, q)
          total.add(low.scaled(by: inputScales), times: scales.scale(group))
          if S.isAffine { total.add(broadcasting: groupSums, times: scales.offset(group)) }
          var high = S.isAffine ? FourTokens.zero : FourTokens(broadcasting: zeroTerms + 8)
          dot(&high, w.s4, w.s5, w.s6, w.s7, q + 32)
          total.add(high.scaled(by: inputScales + 8), times: scales.scale(group &+ 1))
          if S.isAffine {
            total.add(broadcasting: groupSums + 8, times: scales.offset(group &+ 1))
          }
          prefetch.advance(C.self)
          codes += C.blockBytes
          q += 64
          inputScales += 16
          zeroTerms += 16
          groupSums += 16
          block = block &+ 1
          group = group &+ 2
        } else {
          var partial = FourFloats.zero
          var inside = 0
          while inside < G.blocks {
            let w = C.unpack(codes)
            var sums = S.isAffine ? FourTokens.zero : FourTokens(broadcasting: zeroTerms)
            dot(&sums, w.s0, w.s1, w.s2, w.s3, q)
            dot(&sums, w.s4, w.s5, w.s6, w.s7, q + 32)
            let scaled = sums.scaled(by: inputScales)
            if inside == 0 {
              partial = scaled
            } else {
              partial.add(scaled)
            }
            prefetch.advance(C.self)
            codes += C.blockBytes
            q += 64
            inputScales += 8
            zeroTerms += 8
            inside = inside &+ 1
          }
          block = block &+ G.blocks
          total.add(partial, times: scales.scale(group))
          if S.isAffine {
            total.add(broadcasting: groupSums, times: scales.offset(group))
            groupSums += 8
          }
          group = group &+ 1
        }
      }
      total.store(
        job.pointee.output + index &* 16, stride: job.pointee.outputStride,
        tokens: job.pointee.tokens, rows: job.pointee.matrix.rows &- index &* 16,
        adds: job.pointee.adds)
      index = index &+ 1
    }
  }

  /// Four steps: 16 inputs.
  @inline(always)
  private func dot(
    _ sums: inout FourTokens, _ w0: __m512i, _ w1: __m512i, _ w2: __m512i, _ w3: __m512i,
    _ q: UnsafePointer<Int32>
  ) {
    sums.dot(w0, q)
    sums.dot(w1, q + 8)
    sums.dot(w2, q + 16)
    sums.dot(w3, q + 24)
  }
#endif
