#if arch(x86_64)
  package import KernelTypes
  import _Builtin_intrinsics.intel

  /// Elements of a dense tile: eight rows of one input, as float32.
  private protocol DenseElements {
    static var bytes: Int { get }
    static func load(_ source: UnsafeRawPointer) -> __m256
  }

  private enum Float16Elements: DenseElements {
    @inline(always) static var bytes: Int { 2 }

    @inline(always)
    static func load(_ source: UnsafeRawPointer) -> __m256 { float16x8(source) }
  }

  private enum BFloat16Elements: DenseElements {
    @inline(always) static var bytes: Int { 2 }

    @inline(always)
    static func load(_ source: UnsafeRawPointer) -> __m256 { bfloat16x8(source) }
  }

  private enum Float32Elements: DenseElements {
    @inline(always) static var bytes: Int { 4 }

    @inline(always)
    static func load(_ source: UnsafeRawPointer) -> __m256 { float32x8(source) }
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
    var index = first
    while index < first &+ count {
      // Each sum is one chain of additions: four or more chains at a time hide their latency.
      if job.pointee.tokens == 1, first &+ count &- index >= 2 {
        multiplyTwoTiles(E.self, job, index)
        index = index &+ 2
        continue
      }
      var token = 0
      while token &+ 4 <= job.pointee.tokens {
        multiplyFourTokens(E.self, job, index, token)
        token = token &+ 4
      }
      while token < job.pointee.tokens {
        multiplyOne(E.self, job, index, token)
        token = token &+ 1
      }
      index = index &+ 1
    }
  }

  @inline(always)
  private func multiplyOne<E: DenseElements>(
    _: E.Type, _ job: UnsafePointer<DenseProduct>, _ index: Int, _ token: Int
  ) {
    let x = job.pointee.input + token &* job.pointee.inputStride
    let columns = job.pointee.columns
    var source = job.pointee.tiles + index &* job.pointee.tileStride
    var low = _mm256_setzero_ps()
    var high = low
    var k = 0
    while k < columns {
      let value = _mm256_set1_ps(x[k])
      low = _mm256_add_ps(low, _mm256_mul_ps(E.load(source), value))
      high = _mm256_add_ps(high, _mm256_mul_ps(E.load(source + 8 &* E.bytes), value))
      source += 16 &* E.bytes
      k = k &+ 1
    }
    storeTile(
      low, high, job.pointee.output + token &* job.pointee.outputStride + index &* 16,
      job.pointee.rows &- index &* 16, job.pointee.adds)
  }

  @inline(always)
  private func multiplyTwoTiles<E: DenseElements>(
    _: E.Type, _ job: UnsafePointer<DenseProduct>, _ index: Int
  ) {
    let x = job.pointee.input
    let columns = job.pointee.columns
    var a = job.pointee.tiles + index &* job.pointee.tileStride
    var b = a + job.pointee.tileStride
    var aLow = _mm256_setzero_ps()
    var aHigh = aLow
    var bLow = aLow
    var bHigh = aLow
    var k = 0
    while k < columns {
      let value = _mm256_set1_ps(x[k])
      aLow = _mm256_add_ps(aLow, _mm256_mul_ps(E.load(a), value))
      aHigh = _mm256_add_ps(aHigh, _mm256_mul_ps(E.load(a + 8 &* E.bytes), value))
      bLow = _mm256_add_ps(bLow, _mm256_mul_ps(E.load(b), value))
      bHigh = _mm256_add_ps(bHigh, _mm256_mul_ps(E.load(b + 8 &* E.bytes), value))
      a += 16 &* E.bytes
      b += 16 &* E.bytes
      k = k &+ 1
    }
    let output = job.pointee.output + index &* 16
    let rows = job.pointee.rows &- index &* 16
    storeTile(aLow, aHigh, output, rows, job.pointee.adds)
    storeTile(bLow, bHigh, output + 16, rows &- 16, job.pointee.adds)
  }

  @inline(always)
  private func multiplyFourTokens<E: DenseElements>(
    _: E.Type, _ job: UnsafePointer<DenseProduct>, _ index: Int, _ token: Int
  ) {
    let stride = job.pointee.inputStride
    let x0 = job.pointee.input + token &* stride
    let x1 = x0 + stride
    let x2 = x1 + stride
    let x3 = x2 + stride
    let columns = job.pointee.columns
    var source = job.pointee.tiles + index &* job.pointee.tileStride
    var s0 = _mm256_setzero_ps()
    var s1 = s0
    var s2 = s0
    var s3 = s0
    var t0 = s0
    var t1 = s0
    var t2 = s0
    var t3 = s0
    var k = 0
    while k < columns {
      let low = E.load(source)
      let high = E.load(source + 8 &* E.bytes)
      let v0 = _mm256_set1_ps(x0[k])
      let v1 = _mm256_set1_ps(x1[k])
      let v2 = _mm256_set1_ps(x2[k])
      let v3 = _mm256_set1_ps(x3[k])
      s0 = _mm256_add_ps(s0, _mm256_mul_ps(low, v0))
      t0 = _mm256_add_ps(t0, _mm256_mul_ps(high, v0))
      s1 = _mm256_add_ps(s1, _mm256_mul_ps(low, v1))
      t1 = _mm256_add_ps(t1, _mm256_mul_ps(high, v1))
      s2 = _mm256_add_ps(s2, _mm256_mul_ps(low, v2))
      t2 = _mm256_add_ps(t2, _mm256_mul_ps(high, v2))
      s3 = _mm256_add_ps(s3, _mm256_mul_ps(low, v3))
      t3 = _mm256_add_ps(t3, _mm256_mul_ps(high, v3))
      source += 16 &* E.bytes
      k = k &+ 1
    }
    let out = job.pointee.outputStride
    let output = job.pointee.output + token &* out + index &* 16
    let rows = job.pointee.rows &- index &* 16
    let adds = job.pointee.adds
    storeTile(s0, t0, output, rows, adds)
    storeTile(s1, t1, output + out, rows, adds)
    storeTile(s2, t2, output + 2 &* out, rows, adds)
    storeTile(s3, t3, output + 3 &* out, rows, adds)
  }
#endif
