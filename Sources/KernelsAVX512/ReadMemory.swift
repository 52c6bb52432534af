#if arch(x86_64)
  import _Builtin_intrinsics.intel

  /// Reads memory as fast as it comes.
  ///
  /// `byteCount` is a multiple of 256; the result means nothing.
  package func readMemory(_ start: UnsafeRawPointer, _ byteCount: Int) -> UInt64 {
    var a = _mm512_setzero_si512()
    var b = a
    var c = a
    var d = a
    var at = 0
    while at < byteCount {
      a = _mm512_or_si512(a, _mm512_loadu_si512(start + at))
      b = _mm512_or_si512(b, _mm512_loadu_si512(start + at + 64))
      c = _mm512_or_si512(c, _mm512_loadu_si512(start + at + 128))
      d = _mm512_or_si512(d, _mm512_loadu_si512(start + at + 192))
      at = at &+ 256
    }
    return UInt64(
      bitPattern: _mm512_reduce_or_epi64(
        _mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d))))
  }
#endif
