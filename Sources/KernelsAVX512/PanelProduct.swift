#if arch(x86_64)
  import KernelTypes
  import _Builtin_intrinsics.intel

  // Products with several tokens. The tiles are first expanded to panels: codes one per byte in
  // steps of 64 bytes, scales and offsets as float32. Then every block of eight tokens passes over
  // the panels with its sums in registers. The float operations of a row are those of
  // `multiplyRows`, in the same order.

  @inline(never)
  func expandPanels<C: Codes, S: Scales>(
    _: C.Type, _: S.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
    _ scratch: UnsafeMutableRawPointer
  ) {
    let columns = job.pointee.matrix.columns
    let groups = columns / job.pointee.matrix.group
    let chunkBlocks = S.groups &* job.pointee.matrix.group / 32
    let panelBytes = TileGeometry.panelByteCount(columns: columns, group: job.pointee.matrix.group)
    var index = 0
    while index < count {
      var chunk = job.pointee.matrix.tiles + (first &+ index) &* job.pointee.matrix.tileStride
      var target = scratch + index &* panelBytes
      let values = target + columns &* 16
      let end = target + columns &* 16
      var group = 0
      while target < end {
        let scales = S(job.pointee.matrix, chunk: chunk)
        var codes = chunk + job.pointee.matrix.codesSection
        var block = 0
        while block < chunkBlocks && target < end {
          let steps = C.unpack(codes)
          _mm512_storeu_si512(target, steps.s0)
          _mm512_storeu_si512(target + 64, steps.s1)
          _mm512_storeu_si512(target + 128, steps.s2)
          _mm512_storeu_si512(target + 192, steps.s3)
          _mm512_storeu_si512(target + 256, steps.s4)
          _mm512_storeu_si512(target + 320, steps.s5)
          _mm512_storeu_si512(target + 384, steps.s6)
          _mm512_storeu_si512(target + 448, steps.s7)
          codes += C.blockBytes
          target += 512
          block = block &+ 1
        }
        var inside = 0
        while inside < S.groups && group < groups {
          _mm512_storeu_ps(values + group &* 64, scales.scale(inside))
          if S.isAffine {
            _mm512_storeu_ps(values + (groups &+ group) &* 64, scales.offset(inside))
          }
          group = group &+ 1
          inside = inside &+ 1
        }
        chunk += job.pointee.matrix.chunkStride
      }
      index = index &+ 1
    }
  }

  /// Every token of a product times the panels of `count` tiles.
  func multiplyPanels(
    _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
    _ scratch: UnsafeMutableRawPointer
  ) {
    if job.pointee.matrix.isAffine {
      choosePanel(Affine.self, job, first, count, scratch)
    } else {
      choosePanel(Symmetric.self, job, first, count, scratch)
    }
  }

  extension GroupShape {
    /// Whether two tiles are multiplied together.
    ///
    /// Partial sums of two halves beside those of two tiles do not fit the registers, and spilling them
    /// costs more (Zen 4: 135 instead of 158 · 10⁹ multiply-adds a second).
    @inline(always) fileprivate static var isPaired: Bool { blocks == 0 || !isHalved }
  }

  /// Whether a panel has offsets.
  private protocol ZeroForm {
    static var isAffine: Bool { get }
  }
  private enum Affine: ZeroForm { @inline(always) static var isAffine: Bool { true } }
  private enum Symmetric: ZeroForm { @inline(always) static var isAffine: Bool { false } }

  @inline(always)
  private func choosePanel<Z: ZeroForm>(
    _: Z.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
    _ scratch: UnsafeMutableRawPointer
  ) {
    chooseGroups(PanelPass<Z>.self, job, first, count, scratch)
  }

  private enum PanelPass<Z: ZeroForm>: GroupAction {
    @inline(always)
    static func run<G: GroupShape>(
      _: G.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
      _ scratch: UnsafeMutableRawPointer
    ) {
      passTokens(Z.self, G.self, job, first, count, scratch)
    }
  }

  @inline(never)
  private func passTokens<Z: ZeroForm, G: GroupShape>(
    _: Z.Type, _: G.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
    _ scratch: UnsafeMutableRawPointer
  ) {
    let tokens = job.pointee.tokens
    let panelBytes = TileGeometry.panelByteCount(
      columns: job.pointee.matrix.columns, group: job.pointee.matrix.group)
    var token = 0
    while token < tokens {
      let isFour = tokens &- token <= 4
      var index = 0
      while index < count {
        let panel = UnsafeRawPointer(scratch + index &* panelBytes)
        let tile = first &+ index
        if G.isPaired && index &+ 1 < count {
          let other = panel + panelBytes
          if isFour {
            multiplyPair(FourTokens.self, Z.self, G.self, job, panel, other, tile, token)
          } else {
            multiplyPair(EightTokens.self, Z.self, G.self, job, panel, other, tile, token)
          }
        } else if isFour {
          multiplyPanel(FourTokens.self, Z.self, G.self, job, panel, tile, token)
        } else {
          multiplyPanel(EightTokens.self, Z.self, G.self, job, panel, tile, token)
        }
        index = index &+ (G.isPaired ? 2 : 1)
      }
      token = token &+ 8
    }
  }

  /// One panel times one block of tokens.
  @inline(always)
  private func multiplyPanel<T: TokenLanes, Z: ZeroForm, G: GroupShape>(
    _: T.Type, _: Z.Type, _: G.Type, _ job: UnsafePointer<GroupedProduct>,
    _ panel: UnsafeRawPointer, _ tile: Int, _ token: Int
  ) {
    let columns = job.pointee.matrix.columns
    let blocks = columns / 32
    let groups = columns / G.inputs
    let inputGroups = columns / G.activationInputs
    // `token` is a multiple of eight: elements before it are `token` times those of one token.
    let q = UnsafeRawPointer(job.pointee.input.codes + token &* columns)
      .assumingMemoryBound(to: Int32.self)
    let inputScales = UnsafePointer(job.pointee.input.scales) + token &* inputGroups
    let zeroTerms = job.pointee.zeroTerms + (Z.isAffine ? 0 : token &* inputGroups)
    let groupSums = job.pointee.groupSums + (Z.isAffine ? token &* groups : 0)
    let scales = panel + columns &* 16
    let offsets = scales + groups &* 64
    var total = T.Floats.zero
    var block = 0
    var group = 0
    while block < blocks {
      if G.blocks == 0 {
        var half = 0
        while half < 2 {
          var sums = Z.isAffine ? T.zero : T(broadcasting: zeroTerms + group &* 8)
          dotHalf(&sums, panel + block &* 512 + half &* 256, q + block &* 64 + half &* 32)
          let partial = sums.scaled(by: inputScales + group &* 8)
          total.add(partial, times: _mm512_loadu_ps(scales + group &* 64))
          if Z.isAffine {
            total.add(
              broadcasting: groupSums + group &* 8, times: _mm512_loadu_ps(offsets + group &* 64))
          }
          group = group &+ 1
          half = half &+ 1
        }
        block = block &+ 1
      } else {
        var partial = T.Floats.zero
        var inside = 0
        while inside < G.blocks {
          let at = block &* G.halves &* 8
          var sums = Z.isAffine ? T.zero : T(broadcasting: zeroTerms + at)
          dotHalf(&sums, panel + block &* 512, q + block &* 64)
          if !G.isHalved {
            dotHalf(&sums, panel + block &* 512 + 256, q + block &* 64 + 32)
          }
          let scaled = sums.scaled(by: inputScales + at)
          if inside == 0 {
            partial = scaled
          } else {
            partial.add(scaled)
          }
          if G.isHalved {
            var high = Z.isAffine ? T.zero : T(broadcasting: zeroTerms + at + 8)
            dotHalf(&high, panel + block &* 512 + 256, q + block &* 64 + 32)
            partial.add(high.scaled(by: inputScales + at + 8))
          }
          block = block &+ 1
          inside = inside &+ 1
        }
        total.add(partial, times: _mm512_loadu_ps(scales + group &* 64))
        if Z.isAffine {
          total.add(
            broadcasting: groupSums + group &* 8, times: _mm512_loadu_ps(offsets + group &* 64))
        }
        group = group &+ 1
      }
    }
    total.store(
      job.pointee.output + token &* job.pointee.outputStride + tile &* 16,
      stride: job.pointee.outputStride, tokens: job.pointee.tokens &- token,
      rows: job.pointee.matrix.rows &- tile &* 16, adds: job.pointee.adds)
  }

  /// Four steps: 16 inputs.
  @inline(always)
  private func dotHalf<T: TokenLanes>(
    _ sums: inout T, _ panel: UnsafeRawPointer, _ q: UnsafePointer<Int32>
  ) {
    sums.dot(_mm512_loadu_si512(panel), q)
    sums.dot(_mm512_loadu_si512(panel + 64), q + 8)
    sums.dot(_mm512_loadu_si512(panel + 128), q + 16)
    sums.dot(_mm512_loadu_si512(panel + 192), q + 24)
  }

  /// Two panels times one block of tokens: twice the independent sums, half the inputs to fetch.
  @inline(always)
  private func multiplyPair<T: TokenLanes, Z: ZeroForm, G: GroupShape>(
    _: T.Type, _: Z.Type, _: G.Type, _ job: UnsafePointer<GroupedProduct>,
    _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ tile: Int, _ token: Int
  ) {
    let columns = job.pointee.matrix.columns
    let blocks = columns / 32
    let groups = columns / G.inputs
    let inputGroups = columns / G.activationInputs
    let q = UnsafeRawPointer(job.pointee.input.codes + token &* columns)
      .assumingMemoryBound(to: Int32.self)
    let inputScales = UnsafePointer(job.pointee.input.scales) + token &* inputGroups
    let zeroTerms = job.pointee.zeroTerms + (Z.isAffine ? 0 : token &* inputGroups)
    let groupSums = job.pointee.groupSums + (Z.isAffine ? token &* groups : 0)
    let scales = columns &* 16
    let offsets = scales &+ groups &* 64
    var aTotal = T.Floats.zero
    var bTotal = T.Floats.zero
    var block = 0
    var group = 0
    while block < blocks {
      if G.blocks == 0 {
        var half = 0
        while half < 2 {
          var aSums = Z.isAffine ? T.zero : T(broadcasting: zeroTerms + group &* 8)
          var bSums = aSums
          let at = block &* 512 &+ half &* 256
          dotHalf(&aSums, a + at, &bSums, b + at, q + block &* 64 + half &* 32)
          let atScale = scales &+ group &* 64
          aTotal.add(
            aSums.scaled(by: inputScales + group &* 8), times: _mm512_loadu_ps(a + atScale))
          bTotal.add(
            bSums.scaled(by: inputScales + group &* 8), times: _mm512_loadu_ps(b + atScale))
          if Z.isAffine {
            let atOffset = offsets &+ group &* 64
            aTotal.add(
              broadcasting: groupSums + group &* 8, times: _mm512_loadu_ps(a + atOffset))
            bTotal.add(
              broadcasting: groupSums + group &* 8, times: _mm512_loadu_ps(b + atOffset))
          }
          group = group &+ 1
          half = half &+ 1
        }
        block = block &+ 1
      } else {
        var aPartial = T.Floats.zero
        var bPartial = T.Floats.zero
        var inside = 0
        while inside < G.blocks {
          let terms = block &* 8
          var aSums = Z.isAffine ? T.zero : T(broadcasting: zeroTerms + terms)
          var bSums = aSums
          let at = block &* 512
          dotHalf(&aSums, a + at, &bSums, b + at, q + block &* 64)
          dotHalf(&aSums, a + at + 256, &bSums, b + at + 256, q + block &* 64 + 32)
          let aScaled = aSums.scaled(by: inputScales + terms)
          let bScaled = bSums.scaled(by: inputScales + terms)
          if inside == 0 {
            aPartial = aScaled
            bPartial = bScaled
          } else {
            aPartial.add(aScaled)
            bPartial.add(bScaled)
          }
          block = block &+ 1
          inside = inside &+ 1
        }
        let atScale = scales &+ group &* 64
        aTotal.add(aPartial, times: _mm512_loadu_ps(a + atScale))
        bTotal.add(bPartial, times: _mm512_loadu_ps(b + atScale))
        if Z.isAffine {
          let atOffset = offsets &+ group &* 64
          aTotal.add(broadcasting: groupSums + group &* 8, times: _mm512_loadu_ps(a + atOffset))
          bTotal.add(broadcasting: groupSums + group &* 8, times: _mm512_loadu_ps(b + atOffset))
        }
        group = group &+ 1
      }
    }
    let output = job.pointee.output + token &* job.pointee.outputStride + tile &* 16
    let rows = job.pointee.matrix.rows &- tile &* 16
    aTotal.store(
      output, stride: job.pointee.outputStride, tokens: job.pointee.tokens &- token, rows: rows,
      adds: job.pointee.adds)
    bTotal.store(
      output + 16, stride: job.pointee.outputStride, tokens: job.pointee.tokens &- token,
      rows: rows &- 16, adds: job.pointee.adds)
  }

  @inline(always)
  private func dotHalf<T: TokenLanes>(
    _ aSums: inout T, _ a: UnsafeRawPointer, _ bSums: inout T, _ b: UnsafeRawPointer,
    _ q: UnsafePointer<Int32>
  ) {
    T.dot(&aSums, _mm512_loadu_si512(a), &bSums, _mm512_loadu_si512(b), q)
    T.dot(&aSums, _mm512_loadu_si512(a + 64), &bSums, _mm512_loadu_si512(b + 64), q + 8)
    T.dot(&aSums, _mm512_loadu_si512(a + 128), &bSums, _mm512_loadu_si512(b + 128), q + 16)
    T.dot(&aSums, _mm512_loadu_si512(a + 192), &bSums, _mm512_loadu_si512(b + 192), q + 24)
  }
#endif
