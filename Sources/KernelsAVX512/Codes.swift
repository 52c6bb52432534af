#if arch(x86_64)
  import CVector
  import _Builtin_intrinsics.intel

  /// The codes of one block: eight steps of 16 rows × 4 inputs, one unsigned byte each.
  struct Steps {
    var s0, s1, s2, s3, s4, s5, s6, s7: __m512i
  }

  /// A width of codes: how a block of 32 inputs × 16 rows is unpacked.
  ///
  /// Shifts are of 16-bit lanes (there are none of bytes); what they drag in from the neighbouring
  /// byte is masked away.
  protocol Codes {
    static var blockBytes: Int { get }
    static func unpack(_ block: UnsafeRawPointer) -> Steps
  }

  @inline(always)
  private func load(_ block: UnsafeRawPointer, _ index: Int) -> __m512i {
    pipit_load_in_order(block + index &* 64)
  }

  /// A block of one bit and, because its arithmetic leaves the hardware's prefetching too little of a
  /// start when both threads want memory, one to come.
  @inline(always)
  private func loadAhead(_ block: UnsafeRawPointer) -> __m512i {
    pipit_prefetch(block + 2_048)
    return load(block, 0)
  }

  @inline(always)
  private func right(_ value: __m512i, _ count: UInt32, _ mask: __m512i) -> __m512i {
    _mm512_and_si512(_mm512_srli_epi16(value, count), mask)
  }

  @inline(always)
  private func left(_ value: __m512i, _ count: UInt32, _ mask: __m512i) -> __m512i {
    _mm512_and_si512(_mm512_slli_epi16(value, count), mask)
  }

  @inline(always)
  private func joined(_ low: Steps, _ high: Steps) -> Steps {
    Steps(
      s0: _mm512_or_si512(low.s0, high.s0), s1: _mm512_or_si512(low.s1, high.s1),
      s2: _mm512_or_si512(low.s2, high.s2), s3: _mm512_or_si512(low.s3, high.s3),
      s4: _mm512_or_si512(low.s4, high.s4), s5: _mm512_or_si512(low.s5, high.s5),
      s6: _mm512_or_si512(low.s6, high.s6), s7: _mm512_or_si512(low.s7, high.s7))
  }

  enum Bits8: Codes {
    @inline(always) static var blockBytes: Int { 512 }

    @inline(always)
    static func unpack(_ block: UnsafeRawPointer) -> Steps {
      Steps(
        s0: load(block, 0), s1: load(block, 1), s2: load(block, 2), s3: load(block, 3),
        s4: load(block, 4), s5: load(block, 5), s6: load(block, 6), s7: load(block, 7))
    }
  }

  enum Bits4: Codes {
    @inline(always) static var blockBytes: Int { 256 }

    @inline(always)
    static func unpack(_ block: UnsafeRawPointer) -> Steps {
      let mask = _mm512_set1_epi8(0x0F)
      let a = load(block, 0)
      let b = load(block, 1)
      let c = load(block, 2)
      let d = load(block, 3)
      return Steps(
        s0: _mm512_and_si512(a, mask), s1: right(a, 4, mask),
        s2: _mm512_and_si512(b, mask), s3: right(b, 4, mask),
        s4: _mm512_and_si512(c, mask), s5: right(c, 4, mask),
        s6: _mm512_and_si512(d, mask), s7: right(d, 4, mask))
    }
  }

  enum Bits2: Codes {
    @inline(always) static var blockBytes: Int { 128 }

    @inline(always)
    static func unpack(_ block: UnsafeRawPointer) -> Steps {
      let mask = _mm512_set1_epi8(0x03)
      let a = load(block, 0)
      let b = load(block, 1)
      return Steps(
        s0: _mm512_and_si512(a, mask), s1: right(a, 2, mask),
        s2: right(a, 4, mask), s3: right(a, 6, mask),
        s4: _mm512_and_si512(b, mask), s5: right(b, 2, mask),
        s6: right(b, 4, mask), s7: right(b, 6, mask))
    }
  }

  enum Bits1: Codes {
    @inline(always) static var blockBytes: Int { 64 }

    @inline(always)
    static func unpack(_ block: UnsafeRawPointer) -> Steps {
      let mask = _mm512_set1_epi8(0x01)
      let a = loadAhead(block)
      return Steps(
        s0: _mm512_and_si512(a, mask), s1: right(a, 1, mask),
        s2: right(a, 2, mask), s3: right(a, 3, mask),
        s4: right(a, 4, mask), s5: right(a, 5, mask),
        s6: right(a, 6, mask), s7: right(a, 7, mask))
    }
  }

  /// One bit that stands for ±1: 2u here, and −Σq in the zero term.
  enum Signs: Codes {
    @inline(always) static var blockBytes: Int { 64 }

    @inline(always)
    static func unpack(_ block: UnsafeRawPointer) -> Steps {
      let mask = _mm512_set1_epi8(0x02)
      let a = loadAhead(block)
      return Steps(
        s0: _mm512_and_si512(_mm512_add_epi8(a, a), mask), s1: _mm512_and_si512(a, mask),
        s2: right(a, 1, mask), s3: right(a, 2, mask),
        s4: right(a, 3, mask), s5: right(a, 4, mask),
        s6: right(a, 5, mask), s7: right(a, 6, mask))
    }
  }

  /// Two low bits, then one high bit.
  enum Bits3: Codes {
    @inline(always) static var blockBytes: Int { 192 }

    @inline(always)
    static func unpack(_ block: UnsafeRawPointer) -> Steps {
      let mask = _mm512_set1_epi8(0x04)
      let low = Bits2.unpack(block)
      let a = load(block, 2)
      return joined(
        low,
        Steps(
          s0: left(a, 2, mask), s1: left(a, 1, mask),
          s2: _mm512_and_si512(a, mask), s3: right(a, 1, mask),
          s4: right(a, 2, mask), s5: right(a, 3, mask),
          s6: right(a, 4, mask), s7: right(a, 5, mask)))
    }
  }

  /// Four low bits, then one high bit.
  enum Bits5: Codes {
    @inline(always) static var blockBytes: Int { 320 }

    @inline(always)
    static func unpack(_ block: UnsafeRawPointer) -> Steps {
      let mask = _mm512_set1_epi8(0x10)
      let low = Bits4.unpack(block)
      let a = load(block, 4)
      return joined(
        low,
        Steps(
          s0: left(a, 4, mask), s1: left(a, 3, mask),
          s2: left(a, 2, mask), s3: left(a, 1, mask),
          s4: _mm512_and_si512(a, mask), s5: right(a, 1, mask),
          s6: right(a, 2, mask), s7: right(a, 3, mask)))
    }
  }

  /// Four low bits, then two high bits.
  enum Bits6: Codes {
    @inline(always) static var blockBytes: Int { 384 }

    @inline(always)
    static func unpack(_ block: UnsafeRawPointer) -> Steps {
      let mask = _mm512_set1_epi8(0x30)
      let low = Bits4.unpack(block)
      let a = load(block, 4)
      let b = load(block, 5)
      return joined(
        low,
        Steps(
          s0: left(a, 4, mask), s1: left(a, 2, mask),
          s2: _mm512_and_si512(a, mask), s3: right(a, 2, mask),
          s4: left(b, 4, mask), s5: left(b, 2, mask),
          s6: _mm512_and_si512(b, mask), s7: right(b, 2, mask)))
    }
  }
#endif
