#if arch(x86_64)
  import _Builtin_intrinsics.intel

  /// The codes of half a block: eight steps of 8 rows × 4 inputs, one unsigned byte each.
  struct Steps {
    var s0, s1, s2, s3, s4, s5, s6, s7: __m256i
  }

  /// A width of codes: how the rows 0–7 or 8–15 of a block of 32 inputs are unpacked.
  ///
  /// Shifts are of 16-bit lanes (there are none of bytes); what they drag in from the neighbouring
  /// byte is masked away.
  protocol Codes {
    associatedtype Width: CodeWidth
    static var blockBytes: Int { get }
    /// `half` is the block, plus 32 for the rows 8–15.
    static func unpack(_ half: UnsafeRawPointer) -> Steps
  }

  @inline(always)
  func load256(_ source: UnsafeRawPointer) -> __m256i {
    _mm256_loadu_si256(source.assumingMemoryBound(to: __m256i_u.self))
  }

  @inline(always)
  func store256(_ target: UnsafeMutableRawPointer, _ value: __m256i) {
    _mm256_storeu_si256(target.assumingMemoryBound(to: __m256i_u.self), value)
  }

  @inline(always)
  private func load(_ half: UnsafeRawPointer, _ index: Int) -> __m256i {
    load256(half + index &* 64)
  }

  @inline(always)
  private func right(_ value: __m256i, _ count: Int32, _ mask: __m256i) -> __m256i {
    _mm256_and_si256(_mm256_srli_epi16(value, count), mask)
  }

  @inline(always)
  private func left(_ value: __m256i, _ count: Int32, _ mask: __m256i) -> __m256i {
    _mm256_and_si256(_mm256_slli_epi16(value, count), mask)
  }

  @inline(always)
  private func joined(_ low: Steps, _ high: Steps) -> Steps {
    Steps(
      s0: _mm256_or_si256(low.s0, high.s0), s1: _mm256_or_si256(low.s1, high.s1),
      s2: _mm256_or_si256(low.s2, high.s2), s3: _mm256_or_si256(low.s3, high.s3),
      s4: _mm256_or_si256(low.s4, high.s4), s5: _mm256_or_si256(low.s5, high.s5),
      s6: _mm256_or_si256(low.s6, high.s6), s7: _mm256_or_si256(low.s7, high.s7))
  }

  enum Bits8: Codes {
    typealias Width = EightBits
    @inline(always) static var blockBytes: Int { 512 }

    @inline(always)
    static func unpack(_ half: UnsafeRawPointer) -> Steps {
      Steps(
        s0: load(half, 0), s1: load(half, 1), s2: load(half, 2), s3: load(half, 3),
        s4: load(half, 4), s5: load(half, 5), s6: load(half, 6), s7: load(half, 7))
    }
  }

  enum Bits4: Codes {
    typealias Width = FourBits
    @inline(always) static var blockBytes: Int { 256 }

    @inline(always)
    static func unpack(_ half: UnsafeRawPointer) -> Steps {
      let mask = _mm256_set1_epi8(0x0F)
      let a = load(half, 0)
      let b = load(half, 1)
      let c = load(half, 2)
      let d = load(half, 3)
      return Steps(
        s0: _mm256_and_si256(a, mask), s1: right(a, 4, mask),
        s2: _mm256_and_si256(b, mask), s3: right(b, 4, mask),
        s4: _mm256_and_si256(c, mask), s5: right(c, 4, mask),
        s6: _mm256_and_si256(d, mask), s7: right(d, 4, mask))
    }
  }

  enum Bits2: Codes {
    typealias Width = FourBits
    @inline(always) static var blockBytes: Int { 128 }

    @inline(always)
    static func unpack(_ half: UnsafeRawPointer) -> Steps {
      let mask = _mm256_set1_epi8(0x03)
      let a = load(half, 0)
      let b = load(half, 1)
      return Steps(
        s0: _mm256_and_si256(a, mask), s1: right(a, 2, mask),
        s2: right(a, 4, mask), s3: right(a, 6, mask),
        s4: _mm256_and_si256(b, mask), s5: right(b, 2, mask),
        s6: right(b, 4, mask), s7: right(b, 6, mask))
    }
  }

  enum Bits1: Codes {
    typealias Width = FourBits
    @inline(always) static var blockBytes: Int { 64 }

    @inline(always)
    static func unpack(_ half: UnsafeRawPointer) -> Steps {
      let mask = _mm256_set1_epi8(0x01)
      let a = load(half, 0)
      return Steps(
        s0: _mm256_and_si256(a, mask), s1: right(a, 1, mask),
        s2: right(a, 2, mask), s3: right(a, 3, mask),
        s4: right(a, 4, mask), s5: right(a, 5, mask),
        s6: right(a, 6, mask), s7: right(a, 7, mask))
    }
  }

  /// One bit that stands for ±1: 2u here, and −Σq in the zero term.
  enum Signs: Codes {
    typealias Width = FourBits
    @inline(always) static var blockBytes: Int { 64 }

    @inline(always)
    static func unpack(_ half: UnsafeRawPointer) -> Steps {
      let mask = _mm256_set1_epi8(0x02)
      let a = load(half, 0)
      return Steps(
        s0: _mm256_and_si256(_mm256_add_epi8(a, a), mask), s1: _mm256_and_si256(a, mask),
        s2: right(a, 1, mask), s3: right(a, 2, mask),
        s4: right(a, 3, mask), s5: right(a, 4, mask),
        s6: right(a, 5, mask), s7: right(a, 6, mask))
    }
  }

  /// Two low bits, then one high bit.
  enum Bits3: Codes {
    typealias Width = FourBits
    @inline(always) static var blockBytes: Int { 192 }

    @inline(always)
    static func unpack(_ half: UnsafeRawPointer) -> Steps {
      let mask = _mm256_set1_epi8(0x04)
      let a = load(half, 2)
      return joined(
        Bits2.unpack(half),
        Steps(
          s0: left(a, 2, mask), s1: left(a, 1, mask),
          s2: _mm256_and_si256(a, mask), s3: right(a, 1, mask),
          s4: right(a, 2, mask), s5: right(a, 3, mask),
          s6: right(a, 4, mask), s7: right(a, 5, mask)))
    }
  }

  /// Four low bits, then one high bit.
  enum Bits5: Codes {
    typealias Width = FiveBits
    @inline(always) static var blockBytes: Int { 320 }

    @inline(always)
    static func unpack(_ half: UnsafeRawPointer) -> Steps {
      let mask = _mm256_set1_epi8(0x10)
      let a = load(half, 4)
      return joined(
        Bits4.unpack(half),
        Steps(
          s0: left(a, 4, mask), s1: left(a, 3, mask),
          s2: left(a, 2, mask), s3: left(a, 1, mask),
          s4: _mm256_and_si256(a, mask), s5: right(a, 1, mask),
          s6: right(a, 2, mask), s7: right(a, 3, mask)))
    }
  }

  /// Four low bits, then two high bits.
  enum Bits6: Codes {
    typealias Width = SixBits
    @inline(always) static var blockBytes: Int { 384 }

    @inline(always)
    static func unpack(_ half: UnsafeRawPointer) -> Steps {
      let mask = _mm256_set1_epi8(0x30)
      let a = load(half, 4)
      let b = load(half, 5)
      return joined(
        Bits4.unpack(half),
        Steps(
          s0: left(a, 4, mask), s1: left(a, 2, mask),
          s2: _mm256_and_si256(a, mask), s3: right(a, 2, mask),
          s4: left(b, 4, mask), s5: left(b, 2, mask),
          s6: _mm256_and_si256(b, mask), s7: right(b, 2, mask)))
    }
  }
#endif
