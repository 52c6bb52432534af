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
      let matrix = job.pointee.matrix
      tabulate(
        job.pointee.input, into: sums, next: matrix.tiles + first &* matrix.tileStride,
        byteCount: smallest(count, 8) &* matrix.tileStride)
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

  /// Which of two inputs, the first in the low byte, belong to the places 0, 1, 2, … 31 of a table.
  ///
  /// They are those whose bits are set in the place's number; bit 5 stands for no input.
  private struct Places {
    let bits: __m512i

    @inline(always)
    init(_ first: Int16, _ second: Int16) {
      let place = _mm512_set_epi16(
        31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9,
        8, 7, 6, 5, 4, 3, 2, 1, 0)
      let low = _mm512_and_si512(
        _mm512_srlv_epi16(place, _mm512_set1_epi16(first)), _mm512_set1_epi16(1))
      let high = _mm512_and_si512(
        _mm512_srlv_epi16(place, _mm512_set1_epi16(second)), _mm512_set1_epi16(1))
      bits = _mm512_or_si512(low, _mm512_slli_epi16(high, 8))
    }

    /// The sums of two inputs, the word of that number, in all places.
    @inline(always)
    func sums(_ inputs: __m512i, _ word: Int16) -> __m512i {
      _mm512_maddubs_epi16(bits, _mm512_permutexvar_epi16(_mm512_set1_epi16(word), inputs))
    }
  }

  /// 32 inputs in the order of the bits that belong to them: bit 8j + k of a double word to input 4k + j.
  @inline(always)
  private func ordered(_ codes: UnsafePointer<Int8>) -> __m512i {
    let inputs = _mm256_loadu_si256(
      UnsafeRawPointer(codes).assumingMemoryBound(to: __m256i.self))
    let fours = _mm256_shuffle_epi8(
      inputs,
      _mm256_set_epi8(
        15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0, 15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5,
        1, 12, 8, 4, 0))
    return _mm512_castsi256_si512(
      _mm256_permutevar8x32_epi32(fours, _mm256_set_epi32(7, 3, 6, 2, 5, 1, 4, 0)))
  }

  /// Makes the tables of all blocks, and meanwhile brings what lies at `next`, so many bytes.
  ///
  /// A place of a table is a sum of the inputs whose bits are set in its number.
  private func tabulate(
    _ input: QuantisedInput, into tables: UnsafeMutablePointer<Int16>, next: UnsafeRawPointer,
    byteCount: Int
  ) {
    let (ab, cd, e) = (Places(0, 1), Places(2, 3), Places(4, 5))
    let (a, bc, de) = (Places(5, 0), Places(1, 2), Places(3, 4))
    let f = _mm512_set1_epi16(0x100)
    let blocks = input.columns / 32
    var table = UnsafeMutableRawPointer(tables)
    var line = next
    var block = 0
    while block < blocks {
      let end = next + byteCount / blocks &* (block &+ 1)
      while line < end {
        pipit_prefetch_second(line)
        line += 64
      }
      let inputs = ordered(input.codes + block &* 32)
      var word: Int16 = 0
      while word < 16 {
        let low = _mm512_add_epi16(
          _mm512_add_epi16(ab.sums(inputs, word), cd.sums(inputs, word &+ 1)),
          e.sums(inputs, word &+ 2))
        let middle = _mm512_add_epi16(
          _mm512_add_epi16(a.sums(inputs, word &+ 2), bc.sums(inputs, word &+ 3)),
          de.sums(inputs, word &+ 4))
        let high = _mm512_add_epi16(
          _mm512_add_epi16(ab.sums(inputs, word &+ 5), cd.sums(inputs, word &+ 6)),
          e.sums(inputs, word &+ 7))
        let last = _mm512_permutexvar_epi16(_mm512_set1_epi16(word &+ 7), inputs)
        _mm512_storeu_si512(table, low)
        _mm512_storeu_si512(table + 64, middle)
        _mm512_storeu_si512(table + 128, high)
        _mm512_storeu_si512(table + 192, _mm512_add_epi16(high, _mm512_maddubs_epi16(f, last)))
        table += 256
        word = word &+ 8
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
