#if arch(x86_64)
  package import KernelTypes

  /// Computes `count` tiles from `first` of a grouped product.
  ///
  /// For more than one token `scratch` holds `count` panels of `TileGeometry.panelByteCount`,
  /// 64-byte aligned; for one it is unused, or the worker's tables (see `GroupedProduct.stamp`).
  package func multiplyGrouped(
    _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
    _ scratch: UnsafeMutableRawPointer
  ) {
    if job.pointee.stamp != 0 {
      multiplyBits(job, first, count, scratch)
    } else if job.pointee.input.lanes == 1 {
      chooseCodes(RowsAction.self, job, first, count, scratch)
    } else if job.pointee.tokens <= 4 {
      chooseCodes(FewAction.self, job, first, count, scratch)
    } else {
      chooseCodes(PanelAction.self, job, first, count, scratch)
      multiplyPanels(job, first, count, scratch)
    }
  }

  /// What is done with the widths of a product once they are known statically.
  protocol Action {
    static func run<C: Codes, S: Scales>(
      _: C.Type, _: S.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
      _ scratch: UnsafeMutableRawPointer)
  }

  enum RowsAction: Action {
    @inline(always)
    static func run<C: Codes, S: Scales>(
      _: C.Type, _: S.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
      _ scratch: UnsafeMutableRawPointer
    ) {
      chooseGroups(RowGroups<C, S>.self, job, first, count, scratch)
    }
  }

  private enum RowGroups<C: Codes, S: Scales>: GroupAction {
    @inline(always)
    static func run<G: GroupShape>(
      _: G.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
      _ scratch: UnsafeMutableRawPointer
    ) {
      multiplyRows(C.self, S.self, G.self, job, first, count)
    }
  }

  private enum FewAction: Action {
    @inline(always)
    static func run<C: Codes, S: Scales>(
      _: C.Type, _: S.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
      _ scratch: UnsafeMutableRawPointer
    ) {
      chooseGroups(FewGroups<C, S>.self, job, first, count, scratch)
    }
  }

  private enum FewGroups<C: Codes, S: Scales>: GroupAction {
    @inline(always)
    static func run<G: GroupShape>(
      _: G.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
      _ scratch: UnsafeMutableRawPointer
    ) {
      multiplyFew(C.self, S.self, G.self, job, first, count)
    }
  }

  private enum PanelAction: Action {
    @inline(always)
    static func run<C: Codes, S: Scales>(
      _: C.Type, _: S.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
      _ scratch: UnsafeMutableRawPointer
    ) {
      expandPanels(C.self, S.self, job, first, count, scratch)
    }
  }

  @inline(always)
  func chooseCodes<A: Action>(
    _ action: A.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
    _ scratch: UnsafeMutableRawPointer
  ) {
    if case .superblock = job.pointee.matrix.scaleStorage {
      switch job.pointee.matrix.bits {
      case 4: A.run(Bits4.self, SuperblockAffine.self, job, first, count, scratch)
      case 5: A.run(Bits5.self, SuperblockAffine.self, job, first, count, scratch)
      default: A.run(Bits6.self, SuperblockSymmetric.self, job, first, count, scratch)
      }
      return
    }
    switch job.pointee.matrix.bits {
    case 1:
      if job.pointee.matrix.isSigns {
        chooseSymmetric(A.self, Signs.self, job, first, count, scratch)
      } else {
        chooseScales(A.self, Bits1.self, job, first, count, scratch)
      }
    case 2: chooseScales(A.self, Bits2.self, job, first, count, scratch)
    case 3: chooseScales(A.self, Bits3.self, job, first, count, scratch)
    case 4: chooseScales(A.self, Bits4.self, job, first, count, scratch)
    case 5: chooseScales(A.self, Bits5.self, job, first, count, scratch)
    case 6: chooseScales(A.self, Bits6.self, job, first, count, scratch)
    default: chooseScales(A.self, Bits8.self, job, first, count, scratch)
    }
  }

  @inline(always)
  func chooseScales<A: Action, C: Codes>(
    _ action: A.Type, _ codes: C.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int,
    _ count: Int, _ scratch: UnsafeMutableRawPointer
  ) {
    if job.pointee.matrix.isAffine {
      if case .float16 = job.pointee.matrix.scaleStorage {
        A.run(C.self, Float16Affine.self, job, first, count, scratch)
      } else {
        A.run(C.self, WideAffine.self, job, first, count, scratch)
      }
    } else {
      chooseSymmetric(A.self, C.self, job, first, count, scratch)
    }
  }

  @inline(always)
  private func chooseSymmetric<A: Action, C: Codes>(
    _ action: A.Type, _ codes: C.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int,
    _ count: Int, _ scratch: UnsafeMutableRawPointer
  ) {
    if case .float16 = job.pointee.matrix.scaleStorage {
      A.run(C.self, Float16Symmetric.self, job, first, count, scratch)
    } else {
      A.run(C.self, WideSymmetric.self, job, first, count, scratch)
    }
  }
#endif
