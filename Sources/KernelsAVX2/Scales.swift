#if arch(x86_64)
  import KernelTypes
  import _Builtin_intrinsics.intel

  /// The scales (and offsets) of a chunk: eight rows of a group at a time, as float32.
  ///
  /// `row` is 0 or 8.
  protocol Scales {
    static var isAffine: Bool { get }
    /// Groups of a chunk.
    static var groups: Int { get }
    init(_ matrix: GroupedTiles, chunk: UnsafeRawPointer)
    func scale(_ group: Int, _ row: Int) -> __m256
    /// Only asked for when `isAffine`.
    func offset(_ group: Int, _ row: Int) -> __m256
  }

  @inline(always)
  func float16x8(_ source: UnsafeRawPointer) -> __m256 {
    _mm256_cvtph_ps(_mm_loadu_si128(source.assumingMemoryBound(to: __m128i_u.self)))
  }

  @inline(always)
  func bfloat16x8(_ source: UnsafeRawPointer) -> __m256 {
    let bits = _mm_loadu_si128(source.assumingMemoryBound(to: __m128i_u.self))
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16))
  }

  @inline(always)
  func float32x8(_ source: UnsafeRawPointer) -> __m256 {
    _mm256_loadu_ps(source.assumingMemoryBound(to: Float.self))
  }

  /// Scales of one type for a whole tile; the branches are well predicted.
  @inline(always)
  private func plain(
    _ section: UnsafeRawPointer, _ storage: ScaleStorage, _ group: Int, _ row: Int
  ) -> __m256 {
    let index = group &* 16 &+ row
    if case .float16 = storage {
      return float16x8(section + index &* 2)
    }
    if case .bfloat16 = storage {
      return bfloat16x8(section + index &* 2)
    }
    return float32x8(section + index &* 4)
  }

  struct PlainSymmetric: Scales {
    @inline(always) static var isAffine: Bool { false }
    @inline(always) static var groups: Int { 2 }
    let scales: UnsafeRawPointer
    let storage: ScaleStorage

    @inline(always)
    init(_ matrix: GroupedTiles, chunk: UnsafeRawPointer) {
      scales = chunk
      storage = matrix.scaleStorage
    }

    @inline(always)
    func scale(_ group: Int, _ row: Int) -> __m256 { plain(scales, storage, group, row) }

    @inline(always)
    func offset(_ group: Int, _ row: Int) -> __m256 { _mm256_setzero_ps() }
  }

  struct PlainAffine: Scales {
    @inline(always) static var isAffine: Bool { true }
    @inline(always) static var groups: Int { 2 }
    let scales: UnsafeRawPointer
    let offsets: UnsafeRawPointer
    let storage: ScaleStorage

    @inline(always)
    init(_ matrix: GroupedTiles, chunk: UnsafeRawPointer) {
      scales = chunk
      offsets = chunk + matrix.offsetsSection
      storage = matrix.scaleStorage
    }

    @inline(always)
    func scale(_ group: Int, _ row: Int) -> __m256 { plain(scales, storage, group, row) }

    @inline(always)
    func offset(_ group: Int, _ row: Int) -> __m256 { plain(offsets, storage, group, row) }
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
    }

    @inline(always)
    private func product(_ section: UnsafeRawPointer, _ group: Int, _ row: Int) -> __m256 {
      let factors = _mm_loadl_epi64(
        (section + (32 &+ group &* 16 &+ row)).assumingMemoryBound(to: __m128i_u.self))
      return _mm256_mul_ps(
        float16x8(section + row &* 2), _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(factors)))
    }

    @inline(always)
    func scale(_ group: Int, _ row: Int) -> __m256 { product(scales, group, row) }

    @inline(always)
    func offset(_ group: Int, _ row: Int) -> __m256 {
      _mm256_xor_ps(product(offsets, group, row), _mm256_set1_ps(-0.0))
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
    }

    @inline(always)
    func scale(_ group: Int, _ row: Int) -> __m256 {
      let factors = _mm_loadl_epi64(
        (scales + (32 &+ group &* 16 &+ row)).assumingMemoryBound(to: __m128i_u.self))
      return _mm256_mul_ps(
        float16x8(scales + row &* 2), _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(factors)))
    }

    @inline(always)
    func offset(_ group: Int, _ row: Int) -> __m256 { _mm256_setzero_ps() }
  }
#endif
