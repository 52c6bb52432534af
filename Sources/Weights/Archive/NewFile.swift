import Glibc

/// A file that appears under its name, in place of what was there, only once it is whole.
///
/// Only its owner may read it. What is not committed disappears with the last reference.
final class NewFile {
  private let path: String
  private let temporary: String
  private var descriptor: Int32

  init(path: String) throws(ArchiveError) {
    self.path = path
    temporary = "\(path).\(getpid()).part"
    _ = unsafe unlink(temporary)
    descriptor = unsafe open(
      temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system(path: path, code: errno) }
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    _ = unsafe unlink(temporary)
  }

  func write(_ bytes: Span<UInt8>) throws(ArchiveError) {
    let code = unsafe bytes.withUnsafeBytes { bytes -> Int32 in
      var offset = 0
      while offset < bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset...])
        let written = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
        if written >= 0 { offset += written } else if errno != EINTR { return errno }
      }
      return 0
    }
    if code != 0 { throw .system(path: path, code: code) }
  }

  /// Puts the file in its place, so that it is there whole even if the machine stops at once.
  func commit() throws(ArchiveError) {
    guard fsync(descriptor) == 0, unsafe rename(temporary, path) == 0 else {
      throw .system(path: path, code: errno)
    }
    close(descriptor)
    descriptor = -1
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let folderDescriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if folderDescriptor >= 0 {
      fsync(folderDescriptor)
      close(folderDescriptor)
    }
  }
}
