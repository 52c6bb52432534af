import Glibc

/// Files that are read whole.
enum SmallFiles {
  /// The bytes of a file of at most `limit` bytes.
  ///
  /// - Throws: `LibraryError.cannotRead`, `LibraryError.tooLong`.
  static func read(_ path: String, limit: Int) throws(LibraryError) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .cannotRead(path: path, code: errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe Glibc.read(descriptor, &block, block.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .cannotRead(path: path, code: errno) }
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else { throw .tooLong(path: path, limit: limit) }
      bytes += block[..<count]
    }
  }
}
