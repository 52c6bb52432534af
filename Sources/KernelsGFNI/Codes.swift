#if arch(x86_64)
  import CVector
  import _Builtin_intrinsics.intel

  /// The codes of one block: eight steps of 16 rows × 4 inputs, one unsigned byte each.
  struct Steps {
    var s0, s1, s2, s3, s4, s5, s6, s7: __m512i
  }

  /// A width of codes: how a block of 32 inputs × 16 rows is unpacked.
  protocol Codes {
    static var blockBytes: Int { get }
    static func unpack(_ block: UnsafeRawPointer) -> Steps
  }

  /// A block and, because the arithmetic of one bit leaves the hardware's prefetching too little of a
  /// start when both threads want memory, one to come.
  @inline(always)
  private func load(_ block: UnsafeRawPointer) -> __m512i {
    pipit_prefetch(block + 2_048)
    return pipit_load_in_order(block)
  }

  /// Every byte's bit `from`, alone, at `to`: what otherwise takes a shift and a mask.
  @inline(always)
  private func bit(_ value: __m512i, from: Int, to: Int) -> __m512i {
    // Row 7 − i of the matrix, which is byte i from above, makes bit i of the result.
    pipit_affine(value, _mm512_set1_epi64(Int64(bitPattern: 1 &<< UInt64(8 &* (7 &- to) &+ from))))
  }

  /// One bit that is the code.
  enum Bits1: Codes {
    @inline(always) static var blockBytes: Int { 64 }

    @inline(always)
    static func unpack(_ block: UnsafeRawPointer) -> Steps {
      let a = load(block)
      return Steps(
        s0: _mm512_and_si512(a, _mm512_set1_epi8(0x01)), s1: bit(a, from: 1, to: 0),
        s2: bit(a, from: 2, to: 0), s3: bit(a, from: 3, to: 0), s4: bit(a, from: 4, to: 0),
        s5: bit(a, from: 5, to: 0), s6: bit(a, from: 6, to: 0), s7: bit(a, from: 7, to: 0))
    }
  }

  /// One bit that stands for ±1: 2u here, and −Σq in the zero term.
  enum Signs: Codes {
    @inline(always) static var blockBytes: Int { 64 }

    @inline(always)
    static func unpack(_ block: UnsafeRawPointer) -> Steps {
      let mask = _mm512_set1_epi8(0x02)
      let a = load(block)
      return Steps(
        s0: _mm512_and_si512(_mm512_add_epi8(a, a), mask), s1: _mm512_and_si512(a, mask),
        s2: bit(a, from: 2, to: 1), s3: bit(a, from: 3, to: 1), s4: bit(a, from: 4, to: 1),
        s5: bit(a, from: 5, to: 1), s6: bit(a, from: 6, to: 1), s7: bit(a, from: 7, to: 1))
    }
  }
#endif
