#if arch(x86_64)
  import _Builtin_intrinsics.intel

  // Dot products through vpmaddubsw, whose 16-bit sums saturate. How many of them may be added
  // before they are widened depends on the width: a pair of products is at most 2·u·127, that is
  // 3 810 for 4 bits (eight fit in an int16), 7 874 for 5 (four), 16 002 for 6 (two). Codes of
  // 8 bits are taken as u − 128, whose pairs are at most 2·128·127 = 32 512, one at a time.

  @inline(always)
  private func pairs(
    _ codes: __m256i, _ q: UnsafePointer<Int32>
  ) -> __m256i {
    _mm256_maddubs_epi16(codes, _mm256_set1_epi32(q[0]))
  }

  @inline(always)
  private func widened(_ pairs: __m256i) -> __m256i {
    _mm256_madd_epi16(pairs, _mm256_set1_epi16(1))
  }

  /// Up to four bits.
  enum FourBits: CodeWidth {
    @inline(always) static var bias: Int32 { 0 }

    @inline(always)
    private static func pairs4(
      _ w0: __m256i, _ w1: __m256i, _ w2: __m256i, _ w3: __m256i, _ q: UnsafePointer<Int32>,
      _ stride: Int
    ) -> __m256i {
      _mm256_add_epi16(
        _mm256_add_epi16(pairs(w0, q), pairs(w1, q + stride)),
        _mm256_add_epi16(pairs(w2, q + 2 &* stride), pairs(w3, q + 3 &* stride)))
    }

    @inline(always)
    static func dot4(
      _ w0: __m256i, _ w1: __m256i, _ w2: __m256i, _ w3: __m256i, _ q: UnsafePointer<Int32>,
      _ stride: Int
    ) -> __m256i {
      widened(pairs4(w0, w1, w2, w3, q, stride))
    }

    @inline(always)
    static func dot8(_ w: Steps, _ q: UnsafePointer<Int32>, _ stride: Int) -> __m256i {
      widened(
        _mm256_add_epi16(
          pairs4(w.s0, w.s1, w.s2, w.s3, q, stride),
          pairs4(w.s4, w.s5, w.s6, w.s7, q + 4 &* stride, stride)))
    }
  }

  enum FiveBits: CodeWidth {
    @inline(always) static var bias: Int32 { 0 }

    @inline(always)
    static func dot4(
      _ w0: __m256i, _ w1: __m256i, _ w2: __m256i, _ w3: __m256i, _ q: UnsafePointer<Int32>,
      _ stride: Int
    ) -> __m256i {
      FourBits.dot4(w0, w1, w2, w3, q, stride)
    }

    @inline(always)
    static func dot8(_ w: Steps, _ q: UnsafePointer<Int32>, _ stride: Int) -> __m256i {
      _mm256_add_epi32(
        dot4(w.s0, w.s1, w.s2, w.s3, q, stride),
        dot4(w.s4, w.s5, w.s6, w.s7, q + 4 &* stride, stride))
    }
  }

  enum SixBits: CodeWidth {
    @inline(always) static var bias: Int32 { 0 }

    @inline(always)
    static func dot4(
      _ w0: __m256i, _ w1: __m256i, _ w2: __m256i, _ w3: __m256i, _ q: UnsafePointer<Int32>,
      _ stride: Int
    ) -> __m256i {
      _mm256_add_epi32(
        widened(_mm256_add_epi16(pairs(w0, q), pairs(w1, q + stride))),
        widened(_mm256_add_epi16(pairs(w2, q + 2 &* stride), pairs(w3, q + 3 &* stride))))
    }

    @inline(always)
    static func dot8(_ w: Steps, _ q: UnsafePointer<Int32>, _ stride: Int) -> __m256i {
      _mm256_add_epi32(
        dot4(w.s0, w.s1, w.s2, w.s3, q, stride),
        dot4(w.s4, w.s5, w.s6, w.s7, q + 4 &* stride, stride))
    }
  }

  /// |u − 128| times the input with the sign of u − 128.
  enum EightBits: CodeWidth {
    @inline(always) static var bias: Int32 { 128 }

    @inline(always)
    private static func products(_ codes: __m256i, _ q: UnsafePointer<Int32>) -> __m256i {
      let signed = _mm256_xor_si256(codes, _mm256_set1_epi8(Int8.min))
      let input = _mm256_sign_epi8(_mm256_set1_epi32(q[0]), signed)
      return widened(_mm256_maddubs_epi16(_mm256_abs_epi8(signed), input))
    }

    @inline(always)
    static func dot4(
      _ w0: __m256i, _ w1: __m256i, _ w2: __m256i, _ w3: __m256i, _ q: UnsafePointer<Int32>,
      _ stride: Int
    ) -> __m256i {
      _mm256_add_epi32(
        _mm256_add_epi32(products(w0, q), products(w1, q + stride)),
        _mm256_add_epi32(products(w2, q + 2 &* stride), products(w3, q + 3 &* stride)))
    }

    @inline(always)
    static func dot8(_ w: Steps, _ q: UnsafePointer<Int32>, _ stride: Int) -> __m256i {
      _mm256_add_epi32(
        dot4(w.s0, w.s1, w.s2, w.s3, q, stride),
        dot4(w.s4, w.s5, w.s6, w.s7, q + 4 &* stride, stride))
    }
  }
#endif
