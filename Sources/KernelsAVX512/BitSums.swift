#if arch(x86_64)
  import CVector
  import KernelTypes
  import _Builtin_intrinsics.intel

  // Matrices of one bit times one token, by sums that are looked up.
  //
  // A row's codes of 32 inputs are a double word. Two tiles' low halves make one register of 32 words, a
  // word for each of 32 rows, and their high halves another; the 5, 5 and 6 bits of a word are the places
  // of three sums of inputs in tables. That takes half of the instructions of unpacking and multiplying,
  // and the sums are the same integers.

  /// Words of the tables of 32 inputs: for either half 32, 32 and 64 sums.
  private let blockWords = 256
  /// What precedes the tables: the stamp of the input that they are of.
  private let headerBytes = 64

  /// Bytes that a worker's tables take for so many inputs.
  package func bitSumsByteCount(columns: Int) -> Int { headerBytes + columns / 32 * blockWords * 2 }

  /// Computes `count` tiles from `first`; `tables` are this worker's, which nothing else writes to.
  func multiplyBits(
    _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
    _ tables: UnsafeMutableRawPointer
  ) {
    let stamp = tables.assumingMemoryBound(to: UInt64.self)
    let sums = (tables + headerBytes).assumingMemoryBound(to: Int16.self)
    if stamp[0] != job.pointee.stamp {
      tabulate(job.pointee.input, into: sums)
      stamp[0] = job.pointee.stamp
    }
    let even = count &- count % 2
    if even > 0 {
      chooseScales(PairsAction.self, Bits1.self, job, first, even, tables + headerBytes)
    }
    if even < count {
      chooseCodes(RowsAction.self, job, first &+ even, 1, tables)
    }
  }

  // MARK: Tables

  /// Sums of the inputs whose bits are set in 0, 1, 2, … 31, bit 0 the first input's.
  @inline(always)
  private func sums(
    _ a: Int16, _ b: Int16, _ c: Int16, _ d: Int16, _ e: Int16
  ) -> __m512i {
    var sums = _mm512_maskz_set1_epi16(0xAAAA_AAAA, a)
    sums = _mm512_mask_add_epi16(sums, 0xCCCC_CCCC, sums, _mm512_set1_epi16(b))
    sums = _mm512_mask_add_epi16(sums, 0xF0F0_F0F0, sums, _mm512_set1_epi16(c))
    sums = _mm512_mask_add_epi16(sums, 0xFF00_FF00, sums, _mm512_set1_epi16(d))
    return _mm512_mask_add_epi16(sums, 0xFFFF_0000, sums, _mm512_set1_epi16(e))
  }

  /// Makes the tables of all blocks: bit 8j + k of a double word belongs to input 4k + j.
  private func tabulate(_ input: QuantisedInput, into tables: UnsafeMutablePointer<Int16>) {
    var block = 0
    while block < input.columns / 32 {
      let codes = input.codes + block &* 32
      var half = 0
      while half < 2 {
        let q = codes + half &* 2
        let table = UnsafeMutableRawPointer(tables + (block &* 256 &+ half &* 128))
        _mm512_storeu_si512(
          table, sums(Int16(q[0]), Int16(q[4]), Int16(q[8]), Int16(q[12]), Int16(q[16])))
        _mm512_storeu_si512(
          table + 64, sums(Int16(q[20]), Int16(q[24]), Int16(q[28]), Int16(q[1]), Int16(q[5])))
        let low = sums(Int16(q[9]), Int16(q[13]), Int16(q[17]), Int16(q[21]), Int16(q[25]))
        _mm512_storeu_si512(table + 128, low)
        _mm512_storeu_si512(
          table + 192, _mm512_add_epi16(low, _mm512_set1_epi16(Int16(q[29]))))
        half = half &+ 1
      }
      block = block &+ 1
    }
  }

  // MARK: Pairs of tiles

  enum PairsAction: Action {
    @inline(always)
    static func run<C: Codes, S: Scales>(
      _: C.Type, _: S.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
      _ tables: UnsafeMutableRawPointer
    ) {
      chooseGroups(PairGroups<S>.self, job, first, count, tables)
    }
  }

  private enum PairGroups<S: Scales>: GroupAction {
    @inline(always)
    static func run<G: GroupShape>(
      _: G.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
      _ tables: UnsafeMutableRawPointer
    ) {
      // Sums of 32 inputs are looked up, never of 16.
      if !G.isHalved {
        var index = first
        while index &+ 8 <= first &+ count {
          multiplyPairs(FourPairs.self, S.self, G.self, job, index, tables)
          index = index &+ 8
        }
        while index < first &+ count {
          multiplyPairs(OnePair.self, S.self, G.self, job, index, tables)
          index = index &+ 2
        }
      }
    }
  }

  /// The tables of half of 32 inputs.
  private struct Table {
    let low, middle, high0, high1: __m512i

    @inline(always)
    init(_ table: UnsafeRawPointer) {
      low = _mm512_loadu_si512(table)
      middle = _mm512_loadu_si512(table + 64)
      high0 = _mm512_loadu_si512(table + 128)
      high1 = _mm512_loadu_si512(table + 192)
    }

    /// Σuq of 32 rows, a word each.
    @inline(always)
    func lookUp(_ codes: __m512i) -> __m512i {
      let a = _mm512_permutexvar_epi16(codes, low)
      let b = _mm512_permutexvar_epi16(_mm512_srli_epi16(codes, 5), middle)
      let c = _mm512_permutex2var_epi16(high0, _mm512_srli_epi16(codes, 10), high1)
      return _mm512_add_epi16(_mm512_add_epi16(a, b), c)
    }
  }

  /// A block and, because the arithmetic leaves the hardware's prefetching too little of a start when
  /// both threads want memory, one to come.
  @inline(always)
  private func load(_ block: UnsafeRawPointer, ahead: Int) -> __m512i {
    pipit_prefetch_second(block + ahead)
    return pipit_load_in_order(block)
  }

  /// What a sum counts in the low and in the high word of a double word.
  private struct Units {
    let low, high: __m512i

    @inline(always)
    init(_ unit: Int32) {
      low = _mm512_set1_epi32(unit)
      high = _mm512_set1_epi32(unit &<< 16)
    }
  }

  /// The sums of two tiles, on their way.
  private struct Pair<S: Scales> {
    var total0 = _mm512_setzero_ps()
    var total1 = _mm512_setzero_ps()
    var partial0 = _mm512_setzero_ps()
    var partial1 = _mm512_setzero_ps()

    /// Adds a block of both tiles.
    @inline(always)
    mutating func add(
      _ codes: UnsafeRawPointer, _ tileStride: Int, _ low: Table, _ high: Table, _ zero: __m512i,
      _ units: Units, _ scale: Float, isFirst: Bool
    ) {
      let codes0 = load(codes, ahead: 8 &* tileStride)
      let codes1 = load(codes + tileStride, ahead: 8 &* tileStride)
      let sums = _mm512_add_epi16(
        low.lookUp(_mm512_mask_blend_epi16(0xAAAA_AAAA, codes0, _mm512_slli_epi32(codes1, 16))),
        high.lookUp(_mm512_mask_blend_epi16(0xAAAA_AAAA, _mm512_srli_epi32(codes0, 16), codes1)))
      let term0 = scaled(_mm512_dpwssd_epi32(zero, sums, units.low), scale)
      let term1 = scaled(_mm512_dpwssd_epi32(zero, sums, units.high), scale)
      partial0 = isFirst ? term0 : _mm512_add_ps(partial0, term0)
      partial1 = isFirst ? term1 : _mm512_add_ps(partial1, term1)
    }

    /// Adds a group's sums to those of the row.
    @inline(always)
    mutating func endGroup(
      _ matrix: GroupedTiles, _ chunk: UnsafeRawPointer, _ inside: Int,
      _ groupSum: UnsafePointer<Float>
    ) {
      total0 = accumulate(total0, partial0, S(matrix, chunk: chunk), inside, groupSum)
      total1 = accumulate(
        total1, partial1, S(matrix, chunk: chunk + matrix.tileStride), inside, groupSum)
    }

    @inline(always)
    func store(_ job: UnsafePointer<GroupedProduct>, _ tile: Int) {
      let output = job.pointee.output + tile &* 16
      let rows = job.pointee.matrix.rows &- tile &* 16
      storeRows(total0, output, rows, job.pointee.adds)
      storeRows(total1, output + 16, rows &- 16, job.pointee.adds)
    }
  }

  /// How many pairs of tiles are computed at once: four, because tables of more than 2,048 inputs do not
  /// stay in the first level of the cache, and bringing them is felt; one where no four are left.
  private protocol Pairs {
    static var areFour: Bool { get }
  }

  private enum FourPairs: Pairs {
    @inline(always) static var areFour: Bool { true }
  }

  private enum OnePair: Pairs {
    @inline(always) static var areFour: Bool { false }
  }

  /// Eight tiles, or two, times one token.
  @inline(never)
  private func multiplyPairs<P: Pairs, S: Scales, G: GroupShape>(
    _: P.Type, _: S.Type, _: G.Type, _ job: UnsafePointer<GroupedProduct>, _ index: Int,
    _ tables: UnsafeRawPointer
  ) {
    let inputScales = UnsafePointer(job.pointee.input.scales)
    let zeroTerms = job.pointee.zeroTerms
    let groupSums = job.pointee.groupSums
    let blocks = job.pointee.matrix.columns / 32
    let codesSection = job.pointee.matrix.codesSection
    let chunkStride = job.pointee.matrix.chunkStride
    let tileStride = job.pointee.matrix.tileStride
    let units = Units(job.pointee.matrix.isSigns ? 2 : 1)
    var chunk = job.pointee.matrix.tiles + index &* tileStride
    var pair0 = Pair<S>()
    var pair1 = Pair<S>()
    var pair2 = Pair<S>()
    var pair3 = Pair<S>()
    var block = 0
    var group = 0
    while block < blocks {
      var codes = chunk + codesSection
      // The group inside its chunk.
      var inside = 0
      repeat {
        let start = block
        while block < start &+ G.blocks {
          let table = tables + block &* (blockWords &* 2)
          let low = Table(table)
          let high = Table(table + blockWords)
          let zero =
            S.isAffine ? _mm512_setzero_si512() : _mm512_set1_epi32(zeroTerms[block])
          let scale = inputScales[block]
          let isFirst = block == start
          pair0.add(codes, tileStride, low, high, zero, units, scale, isFirst: isFirst)
          if P.areFour {
            pair1.add(
              codes + 2 &* tileStride, tileStride, low, high, zero, units, scale, isFirst: isFirst)
            pair2.add(
              codes + 4 &* tileStride, tileStride, low, high, zero, units, scale, isFirst: isFirst)
            pair3.add(
              codes + 6 &* tileStride, tileStride, low, high, zero, units, scale, isFirst: isFirst)
          }
          codes += 64
          block = block &+ 1
        }
        let sum = groupSums + group
        pair0.endGroup(job.pointee.matrix, chunk, inside, sum)
        if P.areFour {
          pair1.endGroup(job.pointee.matrix, chunk + 2 &* tileStride, inside, sum)
          pair2.endGroup(job.pointee.matrix, chunk + 4 &* tileStride, inside, sum)
          pair3.endGroup(job.pointee.matrix, chunk + 6 &* tileStride, inside, sum)
        }
        group = group &+ 1
        inside = inside &+ 1
      } while inside < S.groups && block < blocks
      chunk += chunkStride
    }
    pair0.store(job, index)
    if P.areFour {
      pair1.store(job, index &+ 2)
      pair2.store(job, index &+ 4)
      pair3.store(job, index &+ 6)
    }
  }
#endif
