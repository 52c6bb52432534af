import Glibc

/// Anonymous pages for tiles; zero at first.
///
/// Written while matrices are prepared, each tile by one thread, and only read afterwards.
@safe final class TileMemory: @unchecked Sendable {
  let base: UnsafeMutableRawPointer
  let byteCount: Int

  private static let hugePage = 2 << 20

  /// Nil if there is no memory.
  ///
  /// From one huge page on, the start is aligned to it and huge pages are asked for: a product
  /// reads every page once per token, and each small page costs a miss of the address cache and
  /// stops the hardware's prefetching.
  init?(byteCount: Int) {
    let wantsHugePages = byteCount >= Self.hugePage
    let margin = wantsHugePages ? Self.hugePage : 0
    let mapping = unsafe mmap(
      nil, byteCount + margin, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let mapping = unsafe mapping, unsafe mapping != MAP_FAILED else { return nil }
    self.byteCount = byteCount
    guard wantsHugePages else {
      unsafe base = mapping
      return
    }
    let before = -Int(bitPattern: mapping) & (Self.hugePage - 1)
    unsafe base = mapping + before
    if before > 0 {
      unsafe munmap(mapping, before)
    }
    let end = (byteCount + 4_095) & ~4_095
    if margin - before > end - byteCount {
      unsafe munmap(base + end, margin - before - (end - byteCount))
    }
    unsafe madvise(base, byteCount, MADV_HUGEPAGE)
  }

  deinit {
    unsafe munmap(base, byteCount)
  }
}
