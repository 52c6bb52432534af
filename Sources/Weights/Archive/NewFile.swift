import Glibc

/// A file that appears under its name, in place of what was there, only once it is whole.
///
/// Only its owner may read it. What is not committed disappears with the last reference. Parts may be
/// written at their places by several threads; all else is for one.
package final class NewFile: @unchecked Sendable {
  package let path: String
  private let temporary: String
  /// Open for reading and writing until it is committed.
  package private(set) var descriptor: Int32

  package init(path: String) throws(ArchiveError) {
    self.path = path
    temporary = "\(path).\(getpid()).part"
    _ = unsafe unlink(temporary)
    descriptor = unsafe open(
      temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system(path: path, code: errno) }
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    _ = unsafe unlink(temporary)
  }

  /// Takes so many bytes of the disk, so that none of the writes in them can find it full.
  package func reserve(_ byteCount: Int) throws(ArchiveError) {
    let code = posix_fallocate(descriptor, 0, off_t(byteCount))
    if code != 0 { throw .system(path: path, code: code) }
  }

  /// Writes at the end of what was written so.
  func write(_ bytes: Span<UInt8>) throws(ArchiveError) {
    unsafe try write(bytes) { unsafe Glibc.write(descriptor, $1, $2) }
  }

  /// Writes at a place.
  package func write(_ bytes: Span<UInt8>, at offset: Int) throws(ArchiveError) {
    unsafe try write(bytes) { unsafe pwrite(descriptor, $1, $2, off_t(offset + $0)) }
  }

  /// Where the next bytes without a place go.
  package func seek(to offset: Int) throws(ArchiveError) {
    guard lseek(descriptor, off_t(offset), SEEK_SET) == off_t(offset) else {
      throw .system(path: path, code: errno)
    }
  }

  private func write(
    _ bytes: Span<UInt8>, by call: (_ offset: Int, UnsafeRawPointer?, _ count: Int) -> Int
  ) throws(ArchiveError) {
    let code = unsafe bytes.withUnsafeBytes { bytes -> Int32 in
      var offset = 0
      while offset < bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset...])
        let written = unsafe call(offset, rest.baseAddress, rest.count)
        if written >= 0 { offset += written } else if errno != EINTR { return errno }
      }
      return 0
    }
    if code != 0 { throw .system(path: path, code: code) }
  }

  /// Puts the file in its place, unless `isDurable` is false so that it is there whole even if the
  /// machine stops at once.
  package func commit(isDurable: Bool = true) throws(ArchiveError) {
    guard !isDurable || fsync(descriptor) == 0, unsafe rename(temporary, path) == 0 else {
      throw .system(path: path, code: errno)
    }
    close(descriptor)
    descriptor = -1
    guard isDurable else { return }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let folderDescriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if folderDescriptor >= 0 {
      fsync(folderDescriptor)
      close(folderDescriptor)
    }
  }
}
