#if arch(x86_64)
  package import KernelTypes

  /// Computes `count` tiles from `first` of a grouped product.
  ///
  /// For more than one token `scratch` holds `count` panels of `TileGeometry.panelByteCount`,
  /// 64-byte aligned; it is unused for one.
  package func multiplyGrouped(
    _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
    _ scratch: UnsafeMutableRawPointer
  ) {
    if job.pointee.input.lanes == 1 {
      chooseCodes(RowsAction.self, job, first, count, scratch)
    } else {
      chooseCodes(PanelAction.self, job, first, count, scratch)
      switch job.pointee.matrix.bits {
      case 1, 2, 3, 4: chooseZero(FourBits.self, job, first, count, scratch)
      case 5: chooseZero(FiveBits.self, job, first, count, scratch)
      case 6: chooseZero(SixBits.self, job, first, count, scratch)
      default: chooseZero(EightBits.self, job, first, count, scratch)
      }
    }
  }

  @inline(always)
  private func chooseZero<W: CodeWidth>(
    _: W.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
    _ scratch: UnsafeMutableRawPointer
  ) {
    if job.pointee.matrix.isAffine {
      choosePanels(W.self, PanelAffine.self, job, first, count, scratch)
    } else {
      choosePanels(W.self, PanelSymmetric.self, job, first, count, scratch)
    }
  }

  @inline(always)
  private func choosePanels<W: CodeWidth, Z: PanelZero>(
    _: W.Type, _: Z.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
    _ scratch: UnsafeMutableRawPointer
  ) {
    chooseGroups(PanelPass<W, Z>.self, job, first, count, scratch)
  }

  private enum PanelPass<W: CodeWidth, Z: PanelZero>: GroupAction {
    @inline(always)
    static func run<G: GroupShape>(
      _: G.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
      _ scratch: UnsafeMutableRawPointer
    ) {
      multiplyPanels(W.self, Z.self, G.self, job, first, count, scratch)
    }
  }

  /// What is done with the widths of a product once they are known statically.
  private protocol Action {
    static func run<C: Codes, S: Scales>(
      _: C.Type, _: S.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
      _ scratch: UnsafeMutableRawPointer)
  }

  private enum RowsAction: Action {
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
  private func chooseCodes<A: Action>(
    _: A.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
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
        A.run(Signs.self, PlainSymmetric.self, job, first, count, scratch)
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
  private func chooseScales<A: Action, C: Codes>(
    _: A.Type, _: C.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
    _ scratch: UnsafeMutableRawPointer
  ) {
    if job.pointee.matrix.isAffine {
      A.run(C.self, PlainAffine.self, job, first, count, scratch)
    } else {
      A.run(C.self, PlainSymmetric.self, job, first, count, scratch)
    }
  }
#endif
