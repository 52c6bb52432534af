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
    let codesSection = job.pointee.matrix.codesSection
    let chunkStride = job.pointee.matrix.chunkStride
    var index = first
    while index < first &+ count {
      var chunk = job.pointee.matrix.tiles + index &* job.pointee.matrix.tileStride
      var q = UnsafeRawPointer(job.pointee.input.codes).assumingMemoryBound(to: Int32.self)
      var inputScales = UnsafePointer(job.pointee.input.scales)
      var zeroTerms = job.pointee.zeroTerms
      var groupSums = job.pointee.groupSums
      var total = FourFloats.zero
      var block = 0
      while block < blocks {
        let scales = S(job.pointee.matrix, chunk: chunk)
        var codes = chunk + codesSection
        // The group inside its chunk.
        var group = 0
        repeat {
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
              if !G.isHalved {
                dot(&sums, w.s4, w.s5, w.s6, w.s7, q + 32)
              }
              let scaled = sums.scaled(by: inputScales)
              if inside == 0 {
                partial = scaled
              } else {
                partial.add(scaled)
              }
              if G.isHalved {
                var high = S.isAffine ? FourTokens.zero : FourTokens(broadcasting: zeroTerms + 8)
                dot(&high, w.s4, w.s5, w.s6, w.s7, q + 32)
                partial.add(high.scaled(by: inputScales + 8))
              }
              codes += C.blockBytes
              q += 64
              inputScales += G.halves &* 8
              zeroTerms += G.halves &* 8
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
        } while group < S.groups && block < blocks
        chunk += chunkStride
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
