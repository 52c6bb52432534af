package import FoundationEssentials
import Glibc

/// Files and folders that only their owner may read.
package enum PrivateFiles {
  /// Makes a folder and those above it that are missing, each 0700.
  package static func makeDirectory(_ path: String) throws(LibraryError) {
    if unsafe mkdir(path, 0o700) == 0 { return }
    switch errno {
    case EEXIST: return
    case ENOENT:
      let parent = path.parentPath
      guard parent != path, !parent.isEmpty else { break }
      try makeDirectory(parent)
      if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    default: break
    }
    throw .cannotWrite(path: path, code: errno)
  }

  /// Replaces a file by another with these contents, 0600, or leaves it as it was.
  package static func write(_ data: Data, to path: String) throws(LibraryError) {
    try makeDirectory(path.parentPath)
    let temporary = path + ".part"
    try put(data, in: temporary, O_WRONLY | O_CREAT | O_TRUNC)
    if unsafe rename(temporary, path) != 0 {
      let code = errno
      _ = unsafe unlink(temporary)
      throw .cannotWrite(path: path, code: code)
    }
  }

  /// Adds to the end of a file, which is made 0600 if it is missing.
  package static func append(_ data: Data, to path: String) throws(LibraryError) {
    try makeDirectory(path.parentPath)
    try put(data, in: path, O_WRONLY | O_CREAT | O_APPEND)
  }

  private static func put(
    _ data: Data, in path: String, _ flags: Int32
  ) throws(LibraryError) {
    let descriptor = unsafe open(path, flags | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .cannotWrite(path: path, code: errno) }
    defer { close(descriptor) }
    var code: Int32 = 0
    unsafe data.withUnsafeBytes { bytes in
      var offset = 0
      while offset < bytes.count, code == 0 {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset...])
        let written = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
        if written >= 0 { offset += written } else if errno != EINTR { code = errno }
      }
    }
    if code == 0, fsync(descriptor) != 0 { code = errno }
    if code != 0 { throw .cannotWrite(path: path, code: code) }
  }
}
