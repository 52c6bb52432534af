#if arch(x86_64)
  import CVector
  import _Builtin_intrinsics.intel

  /// Every width: products of unsigned codes and signed inputs, four at a time, summed in 32 bits.
  enum AllBits: CodeWidth {
    @inline(always) static var bias: Int32 { 0 }

    @inline(always)
    private static func add(
      _ sum: __m256i, _ codes: __m256i, _ q: UnsafePointer<Int32>
    ) -> __m256i {
      pipit_dpbusd(sum, codes, _mm256_set1_epi32(q[0]))
    }

    @inline(always)
    static func dot4(
      _ w0: __m256i, _ w1: __m256i, _ w2: __m256i, _ w3: __m256i, _ q: UnsafePointer<Int32>,
      _ stride: Int
    ) -> __m256i {
      var sum = add(_mm256_setzero_si256(), w0, q)
      sum = add(sum, w1, q + stride)
      sum = add(sum, w2, q + 2 &* stride)
      return add(sum, w3, q + 3 &* stride)
    }

    @inline(always)
    static func dot8(_ w: Steps, _ q: UnsafePointer<Int32>, _ stride: Int) -> __m256i {
      var sum = dot4(w.s0, w.s1, w.s2, w.s3, q, stride)
      sum = add(sum, w.s4, q + 4 &* stride)
      sum = add(sum, w.s5, q + 5 &* stride)
      sum = add(sum, w.s6, q + 6 &* stride)
      return add(sum, w.s7, q + 7 &* stride)
    }
  }

  typealias FourBits = AllBits
  typealias FiveBits = AllBits
  typealias SixBits = AllBits
  typealias EightBits = AllBits
#endif
