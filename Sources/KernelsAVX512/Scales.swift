#if arch(x86_64)
  import CVector
  import KernelTypes
  import _Builtin_intrinsics.intel

  /// The scales (and offsets) of a chunk: sixteen of a group at a time, as float32.
  protocol Scales {
    static var isAffine: Bool { get }
    /// Groups of a chunk.
    static var groups: Int { get }
    init(_ matrix: GroupedTiles, chunk: UnsafeRawPointer)
    func scale(_ group: Int) -> __m512
    /// Only asked for when `isAffine`.
    func offset(_ group: Int) -> __m512
  }

  @inline(always)
  func float16x16(_ source: UnsafeRawPointer) -> __m512 {
    _mm512_cvtph_ps(_mm256_loadu_si256(source.assumingMemoryBound(to: __m256i_u.self)))
  }

  @inline(always)
  func bfloat16x16(_ source: UnsafeRawPointer) -> __m512 {
    let bits = _mm256_loadu_si256(source.assumingMemoryBound(to: __m256i_u.self))
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16))
  }

  struct Float16Symmetric: Scales {
    @inline(always) static var isAffine: Bool { false }
    @inline(always) static var groups: Int { 2 }
    let scales: UnsafeRawPointer

    @inline(always)
    init(_ matrix: GroupedTiles, chunk: UnsafeRawPointer) {
      scales = chunk
    }

    @inline(always)
    func scale(_ group: Int) -> __m512 { float16x16(scales + group &* 32) }

    @inline(always)
    func offset(_ group: Int) -> __m512 { _mm512_setzero_ps() }
  }

  struct Float16Affine: Scales {
    @inline(always) static var isAffine: Bool { true }
    @inline(always) static var groups: Int { 2 }
    let scales: UnsafeRawPointer
    let offsets: UnsafeRawPointer

    @inline(always)
    init(_ matrix: GroupedTiles, chunk: UnsafeRawPointer) {
      scales = chunk
      offsets = chunk + matrix.offsetsSection
    }

    @inline(always)
    func scale(_ group: Int) -> __m512 { float16x16(scales + group &* 32) }

    @inline(always)
    func offset(_ group: Int) -> __m512 { float16x16(offsets + group &* 32) }
  }

  /// bfloat16 or float32: one well-predicted branch per group instead of twice the code.
  struct WideSymmetric: Scales {
    @inline(always) static var isAffine: Bool { false }
    @inline(always) static var groups: Int { 2 }
    let scales: UnsafeRawPointer
    let isFloat32: Bool

    @inline(always)
    init(_ matrix: GroupedTiles, chunk: UnsafeRawPointer) {
      scales = chunk
      isFloat32 = if case .float32 = matrix.scaleStorage { true } else { false }
    }

    @inline(always)
    func scale(_ group: Int) -> __m512 {
      isFloat32 ? _mm512_loadu_ps(scales + group &* 64) : bfloat16x16(scales + group &* 32)
    }

    @inline(always)
    func offset(_ group: Int) -> __m512 { _mm512_setzero_ps() }
  }

  /// bfloat16 or float32 with offsets.
  struct WideAffine: Scales {
    @inline(always) static var isAffine: Bool { true }
    @inline(always) static var groups: Int { 2 }
    let scales: UnsafeRawPointer
    let offsets: UnsafeRawPointer
    let isFloat32: Bool

    @inline(always)
    init(_ matrix: GroupedTiles, chunk: UnsafeRawPointer) {
      scales = chunk
      offsets = chunk + matrix.offsetsSection
      isFloat32 = if case .float32 = matrix.scaleStorage { true } else { false }
    }

    @inline(always)
    func scale(_ group: Int) -> __m512 {
      isFloat32 ? _mm512_loadu_ps(scales + group &* 64) : bfloat16x16(scales + group &* 32)
    }

    @inline(always)
    func offset(_ group: Int) -> __m512 {
      isFloat32 ? _mm512_loadu_ps(offsets + group &* 64) : bfloat16x16(offsets + group &* 32)
    }
  }

  /// Reads the 320 bytes of a super-block's scales, which are used one by one among the codes, so
  /// that memory is read in ascending order.
  @inline(always)
  private func touch(_ chunk: UnsafeRawPointer) {
    _ = pipit_load_in_order(chunk)
    _ = pipit_load_in_order(chunk + 64)
    _ = pipit_load_in_order(chunk + 128)
    _ = pipit_load_in_order(chunk + 192)
    _ = pipit_load_in_order(chunk + 256)
  }

  /// Q4_K and Q5_K: d·s_k and −(dmin·m_k), both exact in float32.
  struct SuperblockAffine: Scales {
    @inline(always) static var isAffine: Bool { true }
    @inline(always) static var groups: Int { 8 }
    let scales: UnsafeRawPointer
    let offsets: UnsafeRawPointer

    @inline(always)
    init(_ matrix: GroupedTiles, chunk: UnsafeRawPointer) {
      scales = chunk
      offsets = chunk + matrix.offsetsSection
      touch(chunk)
    }

    @inline(always)
    private func product(_ section: UnsafeRawPointer, _ group: Int) -> __m512 {
      let factors = _mm_loadu_si128(
        (section + (32 &+ group &* 16)).assumingMemoryBound(to: __m128i_u.self))
      return _mm512_mul_ps(
        float16x16(section), _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(factors)))
    }

    @inline(always)
    func scale(_ group: Int) -> __m512 { product(scales, group) }

    @inline(always)
    func offset(_ group: Int) -> __m512 {
      let sign = _mm512_set1_epi32(Int32.min)
      return _mm512_castsi512_ps(
        _mm512_xor_si512(_mm512_castps_si512(product(offsets, group)), sign))
    }
  }

  /// Q6_K: d·sc, exact in float32.
  struct SuperblockSymmetric: Scales {
    @inline(always) static var isAffine: Bool { false }
    @inline(always) static var groups: Int { 16 }
    let scales: UnsafeRawPointer

    @inline(always)
    init(_ matrix: GroupedTiles, chunk: UnsafeRawPointer) {
      scales = chunk
      touch(chunk)
    }

    @inline(always)
    func scale(_ group: Int) -> __m512 {
      let factors = _mm_loadu_si128(
        (scales + (32 &+ group &* 16)).assumingMemoryBound(to: __m128i_u.self))
      return _mm512_mul_ps(
        float16x16(scales), _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(factors)))
    }

    @inline(always)
    func offset(_ group: Int) -> __m512 { _mm512_setzero_ps() }
  }
#endif
