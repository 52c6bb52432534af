#if arch(x86_64)
  package import KernelTypes
  import _Builtin_intrinsics.intel

  /// Elements of a dense tile: the 16 rows of one input, as float32.
  private protocol DenseElements {
    static var bytes: Int { get }
    static func load(_ source: UnsafeRawPointer) -> __m512
  }

  private enum Float16Elements: DenseElements {
    @inline(always) static var bytes: Int { 32 }

    @inline(always)
    static func load(_ source: UnsafeRawPointer) -> __m512 { float16x16(source) }
  }

  private enum BFloat16Elements: DenseElements {
    @inline(always) static var bytes: Int { 32 }

    @inline(always)
    static func load(_ source: UnsafeRawPointer) -> __m512 { bfloat16x16(source) }
  }

  private enum Float32Elements: DenseElements {
    @inline(always) static var bytes: Int { 64 }

    @inline(always)
    static func load(_ source: UnsafeRawPointer) -> __m512 { _mm512_loadu_ps(source) }
  }

  /// Computes `count` tiles from `first` of a dense product.
  package func multiplyDense(
    _ job: UnsafePointer<DenseProduct>, _ first: Int, _ count: Int
  ) {
    switch job.pointee.storage {
    case .float16: multiplyTiles(Float16Elements.self, job, first, count)
    case .bfloat16: multiplyTiles(BFloat16Elements.self, job, first, count)
    default: multiplyTiles(Float32Elements.self, job, first, count)
    }
  }

  @inline(never)
  private func multiplyTiles<E: DenseElements>(
    _: E.Type, _ job: UnsafePointer<DenseProduct>, _ first: Int, _ count: Int
  ) {
    let stride = job.pointee.tileStride
    let tokens = job.pointee.tokens
    var index = first
    while index < first &+ count {
      let tile = job.pointee.tiles + index &* stride
      // Each sum is one chain of additions: independent chains hide their latency, of four tiles
      // for one token and of eight tokens for many.
      if tokens == 1, first &+ count &- index >= 4 {
        multiplyFourTiles(E.self, job, tile, index)
        index = index &+ 4
        continue
      }
      var token = 0
      while token &+ 8 <= tokens {
        multiplyEightTokens(E.self, job, tile, index, token)
        token = token &+ 8
      }
      while token < tokens {
        multiplyOne(E.self, job, tile, index, token)
        token = token &+ 1
      }
      index = index &+ 1
    }
  }

  @inline(always)
  private func multiplyOne<E: DenseElements>(
    _: E.Type, _ job: UnsafePointer<DenseProduct>, _ tile: UnsafeRawPointer, _ index: Int,
    _ token: Int
  ) {
    let x = job.pointee.input + token &* job.pointee.inputStride
    let columns = job.pointee.columns
    var sum = _mm512_setzero_ps()
    var k = 0
    while k < columns {
      sum = _mm512_add_ps(
        sum, _mm512_mul_ps(E.load(tile + k &* E.bytes), _mm512_set1_ps(x[k])))
      k = k &+ 1
    }
    storeRows(
      sum, job.pointee.output + token &* job.pointee.outputStride + index &* 16,
      job.pointee.rows &- index &* 16, job.pointee.adds)
  }

  @inline(always)
  private func multiplyFourTiles<E: DenseElements>(
    _: E.Type, _ job: UnsafePointer<DenseProduct>, _ tile: UnsafeRawPointer, _ index: Int
  ) {
    let x = job.pointee.input
    let columns = job.pointee.columns
    let stride = job.pointee.tileStride
    var sums = FourFloats.zero
    var k = 0
    while k < columns {
      let value = _mm512_set1_ps(x[k])
      let source = tile + k &* E.bytes
      sums.add(
        FourFloats(
          E.load(source), E.load(source + stride), E.load(source + 2 &* stride),
          E.load(source + 3 &* stride)),
        times: value)
      k = k &+ 1
    }
    let output = job.pointee.output + index &* 16
    let rows = job.pointee.rows &- index &* 16
    let adds = job.pointee.adds
    storeRows(sums.t0, output, rows, adds)
    storeRows(sums.t1, output + 16, rows &- 16, adds)
    storeRows(sums.t2, output + 32, rows &- 32, adds)
    storeRows(sums.t3, output + 48, rows &- 48, adds)
  }

  @inline(always)
  private func multiplyEightTokens<E: DenseElements>(
    _: E.Type, _ job: UnsafePointer<DenseProduct>, _ tile: UnsafeRawPointer, _ index: Int,
    _ token: Int
  ) {
    let stride = job.pointee.inputStride
    let x0 = job.pointee.input + token &* stride
    let x1 = x0 + stride
    let x2 = x1 + stride
    let x3 = x2 + stride
    let x4 = x3 + stride
    let x5 = x4 + stride
    let x6 = x5 + stride
    let x7 = x6 + stride
    let columns = job.pointee.columns
    var sums = EightFloats.zero
    var k = 0
    while k < columns {
      sums.add(
        EightFloats(
          _mm512_set1_ps(x0[k]), _mm512_set1_ps(x1[k]), _mm512_set1_ps(x2[k]),
          _mm512_set1_ps(x3[k]), _mm512_set1_ps(x4[k]), _mm512_set1_ps(x5[k]),
          _mm512_set1_ps(x6[k]), _mm512_set1_ps(x7[k])),
        times: E.load(tile + k &* E.bytes))
      k = k &+ 1
    }
    sums.store(
      job.pointee.output + token &* job.pointee.outputStride + index &* 16,
      stride: job.pointee.outputStride, tokens: 8, rows: job.pointee.rows &- index &* 16,
      adds: job.pointee.adds)
  }
#endif
