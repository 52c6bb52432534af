import Glibc

/// Anonymous pages for the tiles of one matrix; zero at first.
///
/// Written while the matrix is prepared, each tile by one thread, and only read afterwards.
@safe final class TileMemory: @unchecked Sendable {
  let base: UnsafeMutableRawPointer
  let byteCount: Int

  /// From here on huge pages are asked for: fewer misses of the address cache in a product that
  /// reads every page once per token.
  private static let hugePageThreshold = 4 << 20

  /// Nil if there is no memory.
  init?(byteCount: Int) {
    let pages = unsafe mmap(
      nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let pages = unsafe pages, unsafe pages != MAP_FAILED else { return nil }
    if byteCount >= Self.hugePageThreshold {
      unsafe madvise(pages, byteCount, MADV_HUGEPAGE)
    }
    unsafe base = pages
    self.byteCount = byteCount
  }

  deinit {
    unsafe munmap(base, byteCount)
  }
}
