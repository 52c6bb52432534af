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

  private let base: UnsafeRawPointer
  private let descriptor: Int32

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

  /// Lets the kernel drop the pages from the one that holds `range.lowerBound` to the last one
  /// before that which holds `range.upperBound`.
  ///
  /// Rounding both ends down makes consecutive ranges release every page exactly once. Reading
  /// released pages again is allowed and only slower.
  package func adviseDontNeed(_ range: Range<Int>) {
    advise(range, MADV_DONTNEED, roundingUp: range.upperBound == count)
  }

  /// Asks the kernel to start reading `range`.
  package func adviseWillNeed(_ range: Range<Int>) {
    advise(range, MADV_WILLNEED, roundingUp: true)
  }

  /// Tells the kernel that `range` will be read once, in order.
  package func adviseSequential(_ range: Range<Int>) {
    advise(range, MADV_SEQUENTIAL, roundingUp: true)
  }

  private func advise(_ range: Range<Int>, _ advice: Int32, roundingUp: Bool) {
    guard descriptor >= 0, range.lowerBound >= 0, range.upperBound <= count else { return }
    let page = Int(getpagesize())
    let start = range.lowerBound / page * page
    let end = (range.upperBound + (roundingUp ? page - 1 : 0)) / page * page
    guard end > start else { return }
    unsafe madvise(UnsafeMutableRawPointer(mutating: base + start), end - start, advice)
  }
}
