#if arch(x86_64)
  import KernelsAVX512
  package import KernelTypes

  /// Computes `count` tiles from `first` of a grouped product: matrices of one bit and up to four
  /// tokens here, where unpacking sets the pace and no sums are looked up, and all else as AVX-512 does.
  ///
  /// `scratch` is as for `KernelsAVX512.multiplyGrouped`.
  package func multiplyGrouped(
    _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
    _ scratch: UnsafeMutableRawPointer
  ) {
    guard job.pointee.matrix.bits == 1, job.pointee.tokens <= 4, job.pointee.stamp == 0 else {
      return KernelsAVX512.multiplyGrouped(job, first, count, scratch)
    }
    let isFloat16 = if case .float16 = job.pointee.matrix.scaleStorage { true } else { false }
    if job.pointee.matrix.isSigns {
      if isFloat16 {
        choose(Signs.self, Float16Symmetric.self, job, first, count, scratch)
      } else {
        choose(Signs.self, WideSymmetric.self, job, first, count, scratch)
      }
    } else if job.pointee.matrix.isAffine {
      if isFloat16 {
        choose(Bits1.self, Float16Affine.self, job, first, count, scratch)
      } else {
        choose(Bits1.self, WideAffine.self, job, first, count, scratch)
      }
    } else if isFloat16 {
      choose(Bits1.self, Float16Symmetric.self, job, first, count, scratch)
    } else {
      choose(Bits1.self, WideSymmetric.self, job, first, count, scratch)
    }
  }

  @inline(always)
  private func choose<C: Codes, S: Scales>(
    _: C.Type, _: S.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
    _ scratch: UnsafeMutableRawPointer
  ) {
    chooseGroups(Groups<C, S>.self, job, first, count, scratch)
  }

  private enum Groups<C: Codes, S: Scales>: GroupAction {
    @inline(always)
    static func run<G: GroupShape>(
      _: G.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
      _ scratch: UnsafeMutableRawPointer
    ) {
      if job.pointee.input.lanes == 1 {
        multiplyRows(C.self, S.self, G.self, job, first, count)
      } else {
        multiplyFew(C.self, S.self, G.self, job, first, count)
      }
    }
  }
#endif
