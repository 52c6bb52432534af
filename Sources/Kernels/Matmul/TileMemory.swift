import Glibc

/// Pages for tiles: anonymous ones, zero at first, or those of a file.
///
/// Written while matrices are prepared, each tile by one thread, and only read afterwards.
@safe final class TileMemory: @unchecked Sendable {
  let base: UnsafeMutableRawPointer
  let byteCount: Int

  private static let hugePage = 2 << 20

  /// Zeros; nil if there is no memory.
  ///
  /// From one huge page on, the start is aligned to it and huge pages are asked for: a product
  /// reads every page once per token, and each small page costs a miss of the address cache and
  /// stops the hardware's prefetching.
  init?(byteCount: Int) {
    guard let base = unsafe Self.reserve(byteCount, protection: PROT_READ | PROT_WRITE) else {
      return nil
    }
    unsafe self.base = base
    self.byteCount = byteCount
    guard byteCount >= Self.hugePage else { return }
    unsafe madvise(base, byteCount, MADV_HUGEPAGE)
  }

  /// The first bytes of a file, to be read only, which must have so many; nil if it cannot be mapped.
  ///
  /// Where the file system keeps a file in huge pages, they are mapped whole.
  init?(file descriptor: Int32, byteCount: Int) {
    guard byteCount > 0, let base = unsafe Self.reserve(byteCount, protection: PROT_NONE) else {
      return nil
    }
    let mapping = unsafe mmap(base, byteCount, PROT_READ, MAP_SHARED | MAP_FIXED, descriptor, 0)
    guard unsafe mapping == base else {
      unsafe munmap(base, byteCount)
      return nil
    }
    unsafe self.base = base
    self.byteCount = byteCount
    unsafe madvise(base, byteCount, MADV_HUGEPAGE)
  }

  deinit {
    unsafe munmap(base, byteCount)
  }

  /// Maps all pages now rather than one by one when they are used first.
  func populate() {
    // The headers of older systems lack the name; where it is not known, nothing happens.
    let populateForReading: Int32 = 22
    unsafe madvise(base, byteCount, populateForReading)
  }

  /// Bytes that are in memory, of a file for whichever process.
  var residentByteCount: Int {
    let page = Int(getpagesize())
    let pages = (byteCount + page - 1) / page
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: pages) { states in
      guard unsafe mincore(base, byteCount, states.baseAddress) == 0 else { return 0 }
      var resident = 0
      for index in 0..<pages where unsafe states[index] & 1 != 0 { resident += 1 }
      return min(byteCount, resident * page)
    }
  }

  /// Address space that begins at a huge page if it is as large as one.
  private static func reserve(_ byteCount: Int, protection: Int32) -> UnsafeMutableRawPointer? {
    let margin = byteCount >= hugePage ? hugePage : 0
    let mapping = unsafe mmap(
      nil, byteCount + margin, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let mapping = unsafe mapping, unsafe mapping != MAP_FAILED else { return nil }
    guard margin > 0 else { return unsafe mapping }
    let before = -Int(bitPattern: mapping) & (hugePage - 1)
    let base = unsafe mapping + before
    if before > 0 {
      unsafe munmap(mapping, before)
    }
    let page = Int(getpagesize())
    let end = (byteCount + page - 1) & ~(page - 1)
    if margin - before > end - byteCount {
      unsafe munmap(base + end, margin - before - (end - byteCount))
    }
    return unsafe base
  }
}
