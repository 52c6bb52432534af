#if arch(x86_64)
  import _Builtin_intrinsics.intel

  // Registers for several tokens of one tile. Written out field by field: every value must live in
  // a register, which an array would not promise.

  /// Integer sums of some tokens, 16 rows each.
  protocol TokenLanes {
    associatedtype Floats: FloatLanes
    static var zero: Self { get }
    init(broadcasting values: UnsafePointer<Int32>)
    /// Adds the products of one step: 16 rows × 4 inputs with 4 inputs of each token.
    mutating func dot(_ codes: __m512i, _ q: UnsafePointer<Int32>)
    /// The same for two tiles, so that an input is fetched once for both.
    static func dot(
      _ a: inout Self, _ aCodes: __m512i, _ b: inout Self, _ bCodes: __m512i,
      _ q: UnsafePointer<Int32>)
    func scaled(by scales: UnsafePointer<Float>) -> Floats
  }

  /// Float sums of some tokens, 16 rows each; nothing is fused.
  protocol FloatLanes {
    static var zero: Self { get }
    mutating func add(_ other: Self)
    mutating func add(_ other: Self, times factor: __m512)
    mutating func add(broadcasting values: UnsafePointer<Float>, times factor: __m512)
    func store(
      _ output: UnsafeMutablePointer<Float>, stride: Int, tokens: Int, rows: Int, adds: Bool)
  }

  struct EightTokens: TokenLanes {
    typealias Floats = EightFloats
    var t0, t1, t2, t3, t4, t5, t6, t7: __m512i

    @inline(always)
    init(
      _ t0: __m512i, _ t1: __m512i, _ t2: __m512i, _ t3: __m512i, _ t4: __m512i, _ t5: __m512i,
      _ t6: __m512i, _ t7: __m512i
    ) {
      self.t0 = t0
      self.t1 = t1
      self.t2 = t2
      self.t3 = t3
      self.t4 = t4
      self.t5 = t5
      self.t6 = t6
      self.t7 = t7
    }

    @inline(always)
    static var zero: Self {
      let zero = _mm512_setzero_si512()
      return Self(zero, zero, zero, zero, zero, zero, zero, zero)
    }

    @inline(always)
    init(broadcasting values: UnsafePointer<Int32>) {
      t0 = _mm512_set1_epi32(values[0])
      t1 = _mm512_set1_epi32(values[1])
      t2 = _mm512_set1_epi32(values[2])
      t3 = _mm512_set1_epi32(values[3])
      t4 = _mm512_set1_epi32(values[4])
      t5 = _mm512_set1_epi32(values[5])
      t6 = _mm512_set1_epi32(values[6])
      t7 = _mm512_set1_epi32(values[7])
    }

    @inline(always)
    mutating func dot(_ codes: __m512i, _ q: UnsafePointer<Int32>) {
      t0 = _mm512_dpbusd_epi32(t0, codes, _mm512_set1_epi32(q[0]))
      t1 = _mm512_dpbusd_epi32(t1, codes, _mm512_set1_epi32(q[1]))
      t2 = _mm512_dpbusd_epi32(t2, codes, _mm512_set1_epi32(q[2]))
      t3 = _mm512_dpbusd_epi32(t3, codes, _mm512_set1_epi32(q[3]))
      t4 = _mm512_dpbusd_epi32(t4, codes, _mm512_set1_epi32(q[4]))
      t5 = _mm512_dpbusd_epi32(t5, codes, _mm512_set1_epi32(q[5]))
      t6 = _mm512_dpbusd_epi32(t6, codes, _mm512_set1_epi32(q[6]))
      t7 = _mm512_dpbusd_epi32(t7, codes, _mm512_set1_epi32(q[7]))
    }

    @inline(always)
    static func dot(
      _ a: inout Self, _ aCodes: __m512i, _ b: inout Self, _ bCodes: __m512i,
      _ q: UnsafePointer<Int32>
    ) {
      let q0 = _mm512_set1_epi32(q[0])
      a.t0 = _mm512_dpbusd_epi32(a.t0, aCodes, q0)
      b.t0 = _mm512_dpbusd_epi32(b.t0, bCodes, q0)
      let q1 = _mm512_set1_epi32(q[1])
      a.t1 = _mm512_dpbusd_epi32(a.t1, aCodes, q1)
      b.t1 = _mm512_dpbusd_epi32(b.t1, bCodes, q1)
      let q2 = _mm512_set1_epi32(q[2])
      a.t2 = _mm512_dpbusd_epi32(a.t2, aCodes, q2)
      b.t2 = _mm512_dpbusd_epi32(b.t2, bCodes, q2)
      let q3 = _mm512_set1_epi32(q[3])
      a.t3 = _mm512_dpbusd_epi32(a.t3, aCodes, q3)
      b.t3 = _mm512_dpbusd_epi32(b.t3, bCodes, q3)
      let q4 = _mm512_set1_epi32(q[4])
      a.t4 = _mm512_dpbusd_epi32(a.t4, aCodes, q4)
      b.t4 = _mm512_dpbusd_epi32(b.t4, bCodes, q4)
      let q5 = _mm512_set1_epi32(q[5])
      a.t5 = _mm512_dpbusd_epi32(a.t5, aCodes, q5)
      b.t5 = _mm512_dpbusd_epi32(b.t5, bCodes, q5)
      let q6 = _mm512_set1_epi32(q[6])
      a.t6 = _mm512_dpbusd_epi32(a.t6, aCodes, q6)
      b.t6 = _mm512_dpbusd_epi32(b.t6, bCodes, q6)
      let q7 = _mm512_set1_epi32(q[7])
      a.t7 = _mm512_dpbusd_epi32(a.t7, aCodes, q7)
      b.t7 = _mm512_dpbusd_epi32(b.t7, bCodes, q7)
    }

    @inline(always)
    func scaled(by scales: UnsafePointer<Float>) -> Floats {
      Floats(
        _mm512_mul_ps(_mm512_set1_ps(scales[0]), _mm512_cvtepi32_ps(t0)),
        _mm512_mul_ps(_mm512_set1_ps(scales[1]), _mm512_cvtepi32_ps(t1)),
        _mm512_mul_ps(_mm512_set1_ps(scales[2]), _mm512_cvtepi32_ps(t2)),
        _mm512_mul_ps(_mm512_set1_ps(scales[3]), _mm512_cvtepi32_ps(t3)),
        _mm512_mul_ps(_mm512_set1_ps(scales[4]), _mm512_cvtepi32_ps(t4)),
        _mm512_mul_ps(_mm512_set1_ps(scales[5]), _mm512_cvtepi32_ps(t5)),
        _mm512_mul_ps(_mm512_set1_ps(scales[6]), _mm512_cvtepi32_ps(t6)),
        _mm512_mul_ps(_mm512_set1_ps(scales[7]), _mm512_cvtepi32_ps(t7)))
    }
  }

  struct EightFloats: FloatLanes {
    var t0, t1, t2, t3, t4, t5, t6, t7: __m512

    @inline(always)
    init(
      _ t0: __m512, _ t1: __m512, _ t2: __m512, _ t3: __m512, _ t4: __m512, _ t5: __m512,
      _ t6: __m512, _ t7: __m512
    ) {
      self.t0 = t0
      self.t1 = t1
      self.t2 = t2
      self.t3 = t3
      self.t4 = t4
      self.t5 = t5
      self.t6 = t6
      self.t7 = t7
    }

    @inline(always)
    static var zero: Self {
      let zero = _mm512_setzero_ps()
      return Self(zero, zero, zero, zero, zero, zero, zero, zero)
    }

    @inline(always)
    mutating func add(_ other: Self) {
      t0 = _mm512_add_ps(t0, other.t0)
      t1 = _mm512_add_ps(t1, other.t1)
      t2 = _mm512_add_ps(t2, other.t2)
      t3 = _mm512_add_ps(t3, other.t3)
      t4 = _mm512_add_ps(t4, other.t4)
      t5 = _mm512_add_ps(t5, other.t5)
      t6 = _mm512_add_ps(t6, other.t6)
      t7 = _mm512_add_ps(t7, other.t7)
    }

    @inline(always)
    mutating func add(_ other: Self, times factor: __m512) {
      t0 = _mm512_add_ps(t0, _mm512_mul_ps(factor, other.t0))
      t1 = _mm512_add_ps(t1, _mm512_mul_ps(factor, other.t1))
      t2 = _mm512_add_ps(t2, _mm512_mul_ps(factor, other.t2))
      t3 = _mm512_add_ps(t3, _mm512_mul_ps(factor, other.t3))
      t4 = _mm512_add_ps(t4, _mm512_mul_ps(factor, other.t4))
      t5 = _mm512_add_ps(t5, _mm512_mul_ps(factor, other.t5))
      t6 = _mm512_add_ps(t6, _mm512_mul_ps(factor, other.t6))
      t7 = _mm512_add_ps(t7, _mm512_mul_ps(factor, other.t7))
    }

    @inline(always)
    mutating func add(broadcasting values: UnsafePointer<Float>, times factor: __m512) {
      t0 = _mm512_add_ps(t0, _mm512_mul_ps(factor, _mm512_set1_ps(values[0])))
      t1 = _mm512_add_ps(t1, _mm512_mul_ps(factor, _mm512_set1_ps(values[1])))
      t2 = _mm512_add_ps(t2, _mm512_mul_ps(factor, _mm512_set1_ps(values[2])))
      t3 = _mm512_add_ps(t3, _mm512_mul_ps(factor, _mm512_set1_ps(values[3])))
      t4 = _mm512_add_ps(t4, _mm512_mul_ps(factor, _mm512_set1_ps(values[4])))
      t5 = _mm512_add_ps(t5, _mm512_mul_ps(factor, _mm512_set1_ps(values[5])))
      t6 = _mm512_add_ps(t6, _mm512_mul_ps(factor, _mm512_set1_ps(values[6])))
      t7 = _mm512_add_ps(t7, _mm512_mul_ps(factor, _mm512_set1_ps(values[7])))
    }

    @inline(always)
    func store(
      _ output: UnsafeMutablePointer<Float>, stride: Int, tokens: Int, rows: Int, adds: Bool
    ) {
      storeRows(t0, output, rows, adds)
      if tokens > 1 { storeRows(t1, output + 1 &* stride, rows, adds) }
      if tokens > 2 { storeRows(t2, output + 2 &* stride, rows, adds) }
      if tokens > 3 { storeRows(t3, output + 3 &* stride, rows, adds) }
      if tokens > 4 { storeRows(t4, output + 4 &* stride, rows, adds) }
      if tokens > 5 { storeRows(t5, output + 5 &* stride, rows, adds) }
      if tokens > 6 { storeRows(t6, output + 6 &* stride, rows, adds) }
      if tokens > 7 { storeRows(t7, output + 7 &* stride, rows, adds) }
    }
  }

  struct FourTokens: TokenLanes {
    typealias Floats = FourFloats
    var t0, t1, t2, t3: __m512i

    @inline(always)
    init(_ t0: __m512i, _ t1: __m512i, _ t2: __m512i, _ t3: __m512i) {
      self.t0 = t0
      self.t1 = t1
      self.t2 = t2
      self.t3 = t3
    }

    @inline(always)
    static var zero: Self {
      let zero = _mm512_setzero_si512()
      return Self(zero, zero, zero, zero)
    }

    @inline(always)
    init(broadcasting values: UnsafePointer<Int32>) {
      t0 = _mm512_set1_epi32(values[0])
      t1 = _mm512_set1_epi32(values[1])
      t2 = _mm512_set1_epi32(values[2])
      t3 = _mm512_set1_epi32(values[3])
    }

    @inline(always)
    mutating func dot(_ codes: __m512i, _ q: UnsafePointer<Int32>) {
      t0 = _mm512_dpbusd_epi32(t0, codes, _mm512_set1_epi32(q[0]))
      t1 = _mm512_dpbusd_epi32(t1, codes, _mm512_set1_epi32(q[1]))
      t2 = _mm512_dpbusd_epi32(t2, codes, _mm512_set1_epi32(q[2]))
      t3 = _mm512_dpbusd_epi32(t3, codes, _mm512_set1_epi32(q[3]))
    }

    @inline(always)
    static func dot(
      _ a: inout Self, _ aCodes: __m512i, _ b: inout Self, _ bCodes: __m512i,
      _ q: UnsafePointer<Int32>
    ) {
      let q0 = _mm512_set1_epi32(q[0])
      a.t0 = _mm512_dpbusd_epi32(a.t0, aCodes, q0)
      b.t0 = _mm512_dpbusd_epi32(b.t0, bCodes, q0)
      let q1 = _mm512_set1_epi32(q[1])
      a.t1 = _mm512_dpbusd_epi32(a.t1, aCodes, q1)
      b.t1 = _mm512_dpbusd_epi32(b.t1, bCodes, q1)
      let q2 = _mm512_set1_epi32(q[2])
      a.t2 = _mm512_dpbusd_epi32(a.t2, aCodes, q2)
      b.t2 = _mm512_dpbusd_epi32(b.t2, bCodes, q2)
      let q3 = _mm512_set1_epi32(q[3])
      a.t3 = _mm512_dpbusd_epi32(a.t3, aCodes, q3)
      b.t3 = _mm512_dpbusd_epi32(b.t3, bCodes, q3)
    }

    @inline(always)
    func scaled(by scales: UnsafePointer<Float>) -> Floats {
      Floats(
        _mm512_mul_ps(_mm512_set1_ps(scales[0]), _mm512_cvtepi32_ps(t0)),
        _mm512_mul_ps(_mm512_set1_ps(scales[1]), _mm512_cvtepi32_ps(t1)),
        _mm512_mul_ps(_mm512_set1_ps(scales[2]), _mm512_cvtepi32_ps(t2)),
        _mm512_mul_ps(_mm512_set1_ps(scales[3]), _mm512_cvtepi32_ps(t3)))
    }
  }

  struct FourFloats: FloatLanes {
    var t0, t1, t2, t3: __m512

    @inline(always)
    init(_ t0: __m512, _ t1: __m512, _ t2: __m512, _ t3: __m512) {
      self.t0 = t0
      self.t1 = t1
      self.t2 = t2
      self.t3 = t3
    }

    @inline(always)
    static var zero: Self {
      let zero = _mm512_setzero_ps()
      return Self(zero, zero, zero, zero)
    }

    @inline(always)
    mutating func add(_ other: Self) {
      t0 = _mm512_add_ps(t0, other.t0)
      t1 = _mm512_add_ps(t1, other.t1)
      t2 = _mm512_add_ps(t2, other.t2)
      t3 = _mm512_add_ps(t3, other.t3)
    }

    @inline(always)
    mutating func add(_ other: Self, times factor: __m512) {
      t0 = _mm512_add_ps(t0, _mm512_mul_ps(factor, other.t0))
      t1 = _mm512_add_ps(t1, _mm512_mul_ps(factor, other.t1))
      t2 = _mm512_add_ps(t2, _mm512_mul_ps(factor, other.t2))
      t3 = _mm512_add_ps(t3, _mm512_mul_ps(factor, other.t3))
    }

    @inline(always)
    mutating func add(broadcasting values: UnsafePointer<Float>, times factor: __m512) {
      t0 = _mm512_add_ps(t0, _mm512_mul_ps(factor, _mm512_set1_ps(values[0])))
      t1 = _mm512_add_ps(t1, _mm512_mul_ps(factor, _mm512_set1_ps(values[1])))
      t2 = _mm512_add_ps(t2, _mm512_mul_ps(factor, _mm512_set1_ps(values[2])))
      t3 = _mm512_add_ps(t3, _mm512_mul_ps(factor, _mm512_set1_ps(values[3])))
    }

    @inline(always)
    func store(
      _ output: UnsafeMutablePointer<Float>, stride: Int, tokens: Int, rows: Int, adds: Bool
    ) {
      storeRows(t0, output, rows, adds)
      if tokens > 1 { storeRows(t1, output + 1 &* stride, rows, adds) }
      if tokens > 2 { storeRows(t2, output + 2 &* stride, rows, adds) }
      if tokens > 3 { storeRows(t3, output + 3 &* stride, rows, adds) }
    }
  }
#endif
