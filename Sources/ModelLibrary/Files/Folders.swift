import FoundationEssentials
import Glibc
import Weights

/// Folders and the names in them.
enum Folders {
  static func names(_ path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether a path is itself a symbolic link.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// What a symbolic link names.
  static func linkTarget(_ path: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: path)
  }

  /// Bytes of a file, links followed; nil if there is none.
  static func byteCount(_ path: String) -> Int? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// When a file was last changed, in seconds since 1970.
  static func modified(_ path: String) -> Int {
    var status = stat()
    return unsafe lstat(path, &status) == 0 ? status.st_mtim.tv_sec : 0
  }

  /// Bytes that a folder's files take on the disk, files with other links left out: what removing it
  /// gives back.
  static func diskUsage(_ path: String) -> Int {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return 0 }
    if status.st_mode & S_IFMT == S_IFDIR {
      return names(path).reduce(0) { $0 + diskUsage(path + "/" + $1) }
    }
    return status.st_nlink > 1 ? 0 : Int(status.st_blocks) * 512
  }

  /// Bytes that may still be written to the file system of a folder.
  static func freeSpace(_ path: String) -> Int? {
    Weights.freeSpace(at: path)
  }

  static func rename(_ old: String, to new: String) throws(LibraryError) {
    guard unsafe Glibc.rename(old, new) == 0 else { throw .cannotWrite(path: new, code: errno) }
  }

  /// Makes the names in a folder as lasting as the files.
  static func synchronise(_ path: String) throws(LibraryError) {
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .cannotWrite(path: path, code: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .cannotWrite(path: path, code: errno) }
  }

  static func symbolicLink(_ path: String, to target: String) throws(LibraryError) {
    guard unsafe symlink(target, path) == 0 else { throw .cannotWrite(path: path, code: errno) }
  }

  static func hardLink(_ path: String, to target: String) throws(LibraryError) {
    guard unsafe linkat(AT_FDCWD, target, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 else {
      throw .cannotWrite(path: path, code: errno)
    }
  }

  /// Removes a file, link or folder with all that is in it.
  static func remove(_ path: String) throws(LibraryError) {
    guard exists(path) else { return }
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      throw .cannotWrite(path: path, code: errno == 0 ? EIO : errno)
    }
  }

  /// A path that does not depend on the working directory.
  static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    return FileManager.default.currentDirectoryPath + "/" + path
  }
}

/// A lock that one process holds at a time; it ends with the process.
final class FolderLock {
  private let descriptor: Int32

  /// Waits for the lock.
  init(_ path: String) throws(LibraryError) {
    descriptor = try Self.open(path)
    while flock(descriptor, LOCK_EX) != 0 {
      if errno != EINTR {
        let code = errno
        close(descriptor)
        throw .cannotWrite(path: path, code: code)
      }
    }
  }

  /// Takes the lock that belongs to a name.
  ///
  /// - Throws: `LibraryError.busy` when another process has it.
  init(_ path: String, for name: String) throws(LibraryError) {
    descriptor = try Self.open(path)
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      close(descriptor)
      throw code == EWOULDBLOCK ? .busy(name: name) : .cannotWrite(path: path, code: code)
    }
  }

  private static func open(_ path: String) throws(LibraryError) -> Int32 {
    let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .cannotWrite(path: path, code: errno) }
    return descriptor
  }

  deinit {
    // Not by closing alone: a child that was forked and has not executed its program yet has it too.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
