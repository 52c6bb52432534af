#if arch(x86_64)
  import _Builtin_intrinsics.intel

  /// A class of widths: four or eight steps times the inputs of one token.
  protocol CodeWidth {
    /// What the codes lost before they were multiplied, so that Σuq = the dot + `bias`·Σq.
    static var bias: Int32 { get }
    /// Σ over four steps of 16 inputs, as int32; `stride` dwords lie between the inputs of steps.
    static func dot4(
      _ w0: __m256i, _ w1: __m256i, _ w2: __m256i, _ w3: __m256i, _ q: UnsafePointer<Int32>,
      _ stride: Int
    ) -> __m256i
    static func dot8(_ w: Steps, _ q: UnsafePointer<Int32>, _ stride: Int) -> __m256i
  }
#endif
