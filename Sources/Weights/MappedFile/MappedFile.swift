import Glibc

/// A file mapped for reading, unmapped when the last reference goes.
///
/// The size is the one found when it was opened. Whoever shortens the file afterwards makes the
/// kernel send SIGBUS to a reader, which no check here can catch; `checkUnchanged` before a long
/// read narrows the window.
///
/// The memory is never written, so sharing it between threads needs no synchronisation.
@safe
package final class MappedFile: @unchecked Sendable {
  /// The path as it was given.
  package let path: String
  /// Bytes in the file.
  package let count: Int
  /// What the file was when it was opened.
  package let identity: FileIdentity

  /// Open for reading as long as this lives; negative for bytes that stand for a file.
  package let descriptor: Int32
  private let base: UnsafeRawPointer

  /// Maps a regular file.
  ///
  /// Throws `WeightsError.system` when it cannot be opened or mapped, and `.invalid` when it is no
  /// regular file.
  package init(path: String) throws(WeightsError) {
    // Without O_NONBLOCK, opening a pipe would wait for a writer.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw .system(file: path, operation: .open, code: errno)
    }
    do throws(WeightsError) {
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0 else {
        throw WeightsError.system(file: path, operation: .examine, code: errno)
      }
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw WeightsError.invalid(file: path, .notRegularFile)
      }
      let size = Int(status.st_size)
      if size > 0 {
        guard
          let mapping = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0),
          unsafe mapping != MAP_FAILED
        else {
          throw WeightsError.system(file: path, operation: .map, code: errno)
        }
        unsafe base = UnsafeRawPointer(mapping)
      } else {
        unsafe base = UnsafeRawPointer(UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))
      }
      self.path = path
      self.count = size
      self.identity = FileIdentity(status)
      self.descriptor = descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Bytes that stand for a file: for tests, and for what was read from elsewhere.
  package init(copying bytes: [UInt8], path: String = "memory") {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: max(1, bytes.count), alignment: 64)
    unsafe bytes.withUnsafeBytes { source in
      if let start = source.baseAddress {
        unsafe memory.copyMemory(from: start, byteCount: source.count)
      }
    }
    unsafe base = UnsafeRawPointer(memory)
    count = bytes.count
    self.path = path
    identity = FileIdentity(memorySize: bytes.count)
    descriptor = -1
  }

  deinit {
    if descriptor >= 0, count > 0 {
      unsafe munmap(UnsafeMutableRawPointer(mutating: base), count)
    } else {
      unsafe UnsafeMutableRawPointer(mutating: base).deallocate()
    }
    if descriptor >= 0 { close(descriptor) }
  }

  /// The first byte, for `FileBytes` alone.
  @unsafe var start: UnsafeRawPointer { unsafe base }

  /// All bytes.
  package var bytes: FileBytes { FileBytes(file: self) }

  /// Throws `WeightsError.invalid(_, .changed)` if the file is no longer what was opened.
  package func checkUnchanged() throws(WeightsError) {
    guard descriptor >= 0 else { return }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw .system(file: path, operation: .examine, code: errno)
    }
    guard FileIdentity(status) == identity else {
      throw .invalid(
        file: path, .changed(sizeBefore: count, sizeNow: Int(clamping: Int64(status.st_size))))
    }
  }

  /// Lets the kernel drop the pages of `range` and those that a fault in them has brought along.
  ///
  /// Reading released pages again is allowed and only slower: they mostly are in the page cache.
  package func adviseDontNeed(_ range: Range<Int>) {
    advise(range, MADV_DONTNEED, rounding: Self.faultWindow)
  }

  /// Asks the kernel to start reading `range`.
  package func adviseWillNeed(_ range: Range<Int>) {
    advise(range, MADV_WILLNEED, rounding: Int(getpagesize()))
  }

  /// Tells the kernel that the file is read once, in order, as weights are that get another form.
  ///
  /// It then reads further ahead, and keeps the pages among those that go first: without this a second
  /// load made them active, and a control group was full of them.
  package func adviseReadOnce() {
    advise(0..<count, MADV_SEQUENTIAL, rounding: Int(getpagesize()))
  }

  /// Bytes, aligned by address, that Linux maps at a fault in any of them (`fault_around_bytes`).
  ///
  /// Threads that read neighbouring rows map each other's pages by it. Released by exact rows, such
  /// pages stayed: 76 MB of a file of 1.16 GB, in rows of 576 bytes.
  private static let faultWindow = 64 << 10

  private func advise(_ range: Range<Int>, _ advice: Int32, rounding unit: Int) {
    guard descriptor >= 0, !range.isEmpty, range.lowerBound >= 0, range.upperBound <= count
    else { return }
    let first = unsafe UInt(bitPattern: base)
    let mask = UInt(unit - 1)
    let page = UInt(getpagesize() - 1)
    let start = max(first, (first + UInt(range.lowerBound)) & ~mask)
    // At the beginning of a mapping the window is not aligned, but as long as elsewhere.
    let end = min(
      (first + UInt(count) + page) & ~page,
      max(first + UInt(unit), (first + UInt(range.upperBound) + mask) & ~mask))
    unsafe madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), advice)
  }
}
