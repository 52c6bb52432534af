#if arch(x86_64)
  import _Builtin_intrinsics.intel

  /// Reads memory as fast as it comes.
  ///
  /// `byteCount` is a multiple of 256; the result means nothing.
  package func readMemory(_ start: UnsafeRawPointer, _ byteCount: Int) -> UInt64 {
    var a = _mm256_setzero_si256()
    var b = a
    var c = a
    var d = a
    var at = 0
    while at < byteCount {
      a = _mm256_or_si256(a, load256(start + at))
      b = _mm256_or_si256(b, load256(start + at + 32))
      c = _mm256_or_si256(c, load256(start + at + 64))
      d = _mm256_or_si256(d, load256(start + at + 96))
      at = at &+ 128
    }
    let all = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d))
    return UInt64(bitPattern: all[0] | all[1] | all[2] | all[3])
  }
#endif
