#if arch(x86_64)
  import KernelsAVX512
  package import KernelTypes

  /// Computes `count` tiles from `first` of a grouped product: matrices of one bit and up to four
  /// tokens here, where unpacking sets the pace, and all else as AVX-512 does.
  ///
  /// `scratch` is as for `KernelsAVX512.multiplyGrouped`.
  package func multiplyGrouped(
    _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
    _ scratch: UnsafeMutableRawPointer
  ) {
    guard job.pointee.matrix.bits == 1, job.pointee.tokens <= 4 else {
      return KernelsAVX512.multiplyGrouped(job, first, count, scratch)
    }
    let isFloat16 = if case .float16 = job.pointee.matrix.scaleStorage { true } else { false }
    if job.pointee.matrix.isSigns {
      if isFloat16 {
        chooseGroup(Signs.self, Float16Symmetric.self, job, first, count)
      } else {
        chooseGroup(Signs.self, WideSymmetric.self, job, first, count)
      }
    } else if job.pointee.matrix.isAffine {
      if isFloat16 {
        chooseGroup(Bits1.self, Float16Affine.self, job, first, count)
      } else {
        chooseGroup(Bits1.self, WideAffine.self, job, first, count)
      }
    } else if isFloat16 {
      chooseGroup(Bits1.self, Float16Symmetric.self, job, first, count)
    } else {
      chooseGroup(Bits1.self, WideSymmetric.self, job, first, count)
    }
  }

  @inline(always)
  private func chooseGroup<C: Codes, S: Scales>(
    _: C.Type, _: S.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int
  ) {
    switch job.pointee.matrix.group {
    case 16: choose(C.self, S.self, HalfBlock.self, job, first, count)
    case 32: choose(C.self, S.self, OneBlock.self, job, first, count)
    case 64: choose(C.self, S.self, TwoBlocks.self, job, first, count)
    default: choose(C.self, S.self, FourBlocks.self, job, first, count)
    }
  }

  @inline(always)
  private func choose<C: Codes, S: Scales, G: GroupShape>(
    _: C.Type, _: S.Type, _: G.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int,
    _ count: Int
  ) {
    if job.pointee.input.lanes == 1 {
      multiplyRows(C.self, S.self, G.self, job, first, count)
    } else {
      multiplyFew(C.self, S.self, G.self, job, first, count)
    }
  }
#endif
