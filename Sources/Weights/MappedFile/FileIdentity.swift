import Glibc

/// What tells a file from another, or from itself after a change.
package struct FileIdentity: Sendable, Hashable {
  package let device: UInt64
  package let inode: UInt64
  /// Bytes.
  package let size: Int64
  /// Nanoseconds since 1970.
  package let modified: Int64

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
  }

  /// What a file is now, or nil if there is none.
  package init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(memorySize: Int) {
    device = 0
    inode = 0
    size = Int64(memorySize)
    modified = 0
  }
}
