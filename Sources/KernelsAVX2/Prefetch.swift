#if arch(x86_64)
  import CMachine
  import KernelTypes

  /// Brings the tiles of a run some way ahead of the kernel.
  ///
  /// The hardware's own prefetching begins anew at every page and does not look far enough past the
  /// work on a block: with this, one thread read 13 instead of 9 GB/s of 4-bit tiles from memory.
  struct Prefetch {
    private static var distance: Int { 4_096 }

    private var next: UnsafeRawPointer
    private let end: UnsafeRawPointer
    private let bytesPerBlock: Int

    @inline(always)
    init(_ matrix: GroupedTiles, _ first: Int, _ count: Int) {
      let start = matrix.tiles + first &* matrix.tileStride
      next = start + Self.distance
      end = start + count &* matrix.tileStride
      bytesPerBlock = matrix.tileStride / (matrix.columns / 32)
    }

    /// Called once for each block; scales and offsets are spread evenly over the blocks.
    @inline(always)
    mutating func advance<C: Codes>(_: C.Type) {
      if next < end {
        var offset = 0
        while offset <= C.blockBytes {
          pipit_prefetch(next + offset)
          offset = offset &+ 64
        }
        next += bytesPerBlock
      }
    }
  }
#endif
