#if arch(x86_64)
  import KernelTypes
  import _Builtin_intrinsics.intel

  // Products with several tokens. The tiles are first expanded to panels: codes one per byte in
  // steps of 64 bytes, scales and offsets as float32. Then two tokens at a time pass over a panel.
  // The float operations of a row are those of `multiplyRows`, in the same order.

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
      let values = (target + columns &* 16).assumingMemoryBound(to: Float.self)
      let end = target + columns &* 16
      var group = 0
      while target < end {
        let scales = S(job.pointee.matrix, chunk: chunk)
        var codes = chunk + job.pointee.matrix.codesSection
        var block = 0
        while block < chunkBlocks && target < end {
          store(C.unpack(codes), target)
          store(C.unpack(codes + 32), target + 32)
          codes += C.blockBytes
          target += 512
          block = block &+ 1
        }
        var inside = 0
        while inside < S.groups && group < groups {
          _mm256_storeu_ps(values + group &* 16, scales.scale(inside, 0))
          _mm256_storeu_ps(values + (group &* 16 &+ 8), scales.scale(inside, 8))
          if S.isAffine {
            let offsets = values + (groups &+ group) &* 16
            _mm256_storeu_ps(offsets, scales.offset(inside, 0))
            _mm256_storeu_ps(offsets + 8, scales.offset(inside, 8))
          }
          group = group &+ 1
          inside = inside &+ 1
        }
        chunk += job.pointee.matrix.chunkStride
      }
      index = index &+ 1
    }
  }

  @inline(always)
  private func store(_ steps: Steps, _ target: UnsafeMutableRawPointer) {
    store256(target, steps.s0)
    store256(target + 64, steps.s1)
    store256(target + 128, steps.s2)
    store256(target + 192, steps.s3)
    store256(target + 256, steps.s4)
    store256(target + 320, steps.s5)
    store256(target + 384, steps.s6)
    store256(target + 448, steps.s7)
  }

  /// Scales of a panel.
  protocol PanelZero {
    associatedtype Form: Scales
  }
  enum PanelAffine: PanelZero { typealias Form = PlainAffine }
  enum PanelSymmetric: PanelZero { typealias Form = PlainSymmetric }

  /// Every token of a product times the panels of `count` tiles.
  @inline(never)
  func multiplyPanels<W: CodeWidth, Z: PanelZero, G: GroupShape>(
    _: W.Type, _: Z.Type, _: G.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int,
    _ count: Int, _ scratch: UnsafeMutableRawPointer
  ) {
    let tokens = job.pointee.tokens
    let panelBytes = TileGeometry.panelByteCount(
      columns: job.pointee.matrix.columns, group: job.pointee.matrix.group)
    var token = 0
    while token < tokens {
      var index = 0
      while index < count {
        multiplyPanel(
          W.self, Z.self, G.self, job, scratch + index &* panelBytes, first &+ index, token)
        index = index &+ 1
      }
      token = token &+ 2
    }
  }

  /// Two tokens times one panel: sums of rows 0–7 and 8–15.
  private struct Sums {
    var a0, a1, b0, b1: __m256

    @inline(always)
    static var zero: Sums {
      let zero = _mm256_setzero_ps()
      return Sums(a0: zero, a1: zero, b0: zero, b1: zero)
    }

    @inline(always)
    mutating func add(_ other: Sums) {
      a0 = _mm256_add_ps(a0, other.a0)
      a1 = _mm256_add_ps(a1, other.a1)
      b0 = _mm256_add_ps(b0, other.b0)
      b1 = _mm256_add_ps(b1, other.b1)
    }

    @inline(always)
    mutating func add(_ other: Sums, times low: __m256, _ high: __m256) {
      a0 = _mm256_add_ps(a0, _mm256_mul_ps(low, other.a0))
      a1 = _mm256_add_ps(a1, _mm256_mul_ps(high, other.a1))
      b0 = _mm256_add_ps(b0, _mm256_mul_ps(low, other.b0))
      b1 = _mm256_add_ps(b1, _mm256_mul_ps(high, other.b1))
    }
  }

  @inline(always)
  private func multiplyPanel<W: CodeWidth, Z: PanelZero, G: GroupShape>(
    _: W.Type, _: Z.Type, _: G.Type, _ job: UnsafePointer<GroupedProduct>,
    _ panel: UnsafeRawPointer, _ tile: Int, _ token: Int
  ) {
    let columns = job.pointee.matrix.columns
    let groups = columns / G.inputs
    let inputGroups = columns / G.activationInputs
    // Tokens lie in blocks of eight; `lane` is where these two are in theirs.
    let lane = token & 7
    let before = token &- lane
    let q =
      UnsafeRawPointer(job.pointee.input.codes + before &* columns)
      .assumingMemoryBound(to: Int32.self) + lane
    let inputScales = UnsafePointer(job.pointee.input.scales) + (before &* inputGroups &+ lane)
    let sums = UnsafePointer(job.pointee.input.sums) + (before &* inputGroups &+ lane)
    let isAffine = Z.Form.isAffine
    let zeroTerms = job.pointee.zeroTerms + (isAffine ? 0 : before &* inputGroups &+ lane)
    let groupSums = job.pointee.groupSums + (isAffine ? before &* groups &+ lane : 0)
    let scales = (panel + columns &* 16).assumingMemoryBound(to: Float.self)
    let offsets = scales + groups &* 16
    var total = Sums.zero
    var group = 0
    // Activation groups in a weight group, at most one block each.
    let terms = G.blocks == 0 ? 1 : G.blocks &* G.halves
    var inputGroup = 0
    while group < groups {
      var partial = Sums.zero
      var inside = 0
      while inside < terms {
        let at = inputGroup &* 8
        let codes = panel + inputGroup &* G.activationInputs &* 16
        let inputs = q + inputGroup &* G.activationInputs &* 2
        let a = correction(W.self, Z.Form.self, zeroTerms, sums, at)
        let b = correction(W.self, Z.Form.self, zeroTerms, sums, at &+ 1)
        let aScale = _mm256_set1_ps(inputScales[at])
        let bScale = _mm256_set1_ps(inputScales[at &+ 1])
        let part: Sums
        if G.isHalved {
          part = Sums(
            a0: scaled(dot4(W.self, codes, inputs), a, aScale),
            a1: scaled(dot4(W.self, codes + 32, inputs), a, aScale),
            b0: scaled(dot4(W.self, codes, inputs + 1), b, bScale),
            b1: scaled(dot4(W.self, codes + 32, inputs + 1), b, bScale))
        } else {
          let low = Bits8.unpack(codes)
          let high = Bits8.unpack(codes + 32)
          part = Sums(
            a0: scaled(W.dot8(low, inputs, 8), a, aScale),
            a1: scaled(W.dot8(high, inputs, 8), a, aScale),
            b0: scaled(W.dot8(low, inputs + 1, 8), b, bScale),
            b1: scaled(W.dot8(high, inputs + 1, 8), b, bScale))
        }
        if inside == 0 {
          partial = part
        } else {
          partial.add(part)
        }
        inputGroup = inputGroup &+ 1
        inside = inside &+ 1
      }
      total.add(
        partial, times: _mm256_loadu_ps(scales + group &* 16),
        _mm256_loadu_ps(scales + (group &* 16 &+ 8)))
      if isAffine {
        let a = _mm256_set1_ps(groupSums[group &* 8])
        let b = _mm256_set1_ps(groupSums[group &* 8 &+ 1])
        total.add(
          Sums(a0: a, a1: a, b0: b, b1: b), times: _mm256_loadu_ps(offsets + group &* 16),
          _mm256_loadu_ps(offsets + (group &* 16 &+ 8)))
      }
      group = group &+ 1
    }
    let stride = job.pointee.outputStride
    let output = job.pointee.output + token &* stride + tile &* 16
    let rows = job.pointee.matrix.rows &- tile &* 16
    storeTile(total.a0, total.a1, output, rows, job.pointee.adds)
    if job.pointee.tokens &- token > 1 {
      storeTile(total.b0, total.b1, output + stride, rows, job.pointee.adds)
    }
  }

  @inline(always)
  private func dot4<W: CodeWidth>(
    _: W.Type, _ codes: UnsafeRawPointer, _ inputs: UnsafePointer<Int32>
  ) -> __m256i {
    W.dot4(
      load256(codes), load256(codes + 64), load256(codes + 128), load256(codes + 192), inputs, 8)
  }
#endif
