import FoundationEssentials
import Glibc
import Weights

/// A folder that appears under its name only once all of it is there.
///
/// It gathers in `NAME.part` beside it, from which no one loads: the weights have `.part` in their
/// names too, until they are whole. A lock tells a conversion that is at work from what one left that
/// was killed; the latter is removed.
final class OutputFolder {
  private let path: String
  /// Where files are to be written.
  let temporary: String
  private let lock: Int32
  private var isCommitted = false

  private static let lockName = "pipit-convert.lock"

  /// - Throws: ``ConversionError/outputExists(_:)``, ``ConversionError/busy(_:)``,
  ///   ``ConversionError/system(path:code:)``.
  init(path: String) throws(ConversionError) {
    self.path = path
    temporary = path + ".part"
    guard !Self.exists(path) else { throw .outputExists(path) }
    if unsafe mkdir(temporary, 0o700) != 0 {
      guard errno == EEXIST else { throw .system(path: temporary, code: errno) }
      // What is not ours stays.
      guard Self.exists(temporary + "/" + Self.lockName) else { throw .outputExists(temporary) }
    }
    lock = unsafe open(temporary + "/" + Self.lockName, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw .system(path: temporary, code: errno) }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(lock)
      isCommitted = true
      throw code == EWOULDBLOCK ? .busy(path) : .system(path: temporary, code: code)
    }
    for name in Self.names(temporary) where name != Self.lockName {
      try? FileManager.default.removeItem(atPath: temporary + "/" + name)
    }
  }

  deinit {
    if !isCommitted {
      try? FileManager.default.removeItem(atPath: temporary)
    }
    if lock >= 0 {
      flock(lock, LOCK_UN)
      close(lock)
    }
  }

  /// Gives a file its loadable name.
  func settle(_ name: String) throws(ConversionError) {
    guard unsafe rename(temporary + "/" + name + ".part", temporary + "/" + name) == 0 else {
      throw .system(path: temporary + "/" + name, code: errno)
    }
  }

  /// Writes a small file whole.
  func write(_ file: SmallFile) throws(ConversionError) {
    let path = temporary + "/" + file.name
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system(path: path, code: errno) }
    defer { close(descriptor) }
    var code: Int32 = 0
    unsafe file.bytes.withUnsafeBytes { bytes in
      var offset = 0
      while offset < bytes.count, code == 0 {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset...])
        let written = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
        if written >= 0 { offset += written } else if errno != EINTR { code = errno }
      }
    }
    if code == 0, fsync(descriptor) != 0 { code = errno }
    if code != 0 { throw .system(path: path, code: code) }
  }

  /// Puts the folder in its place, so that it is there whole even if the machine stops at once.
  func commit() throws(ConversionError) {
    _ = unsafe unlink(temporary + "/" + Self.lockName)
    try Self.synchronise(temporary)
    // Not over a folder that has come about since.
    guard !Self.exists(path) else { throw .outputExists(path) }
    guard unsafe rename(temporary, path) == 0 else { throw .system(path: path, code: errno) }
    isCommitted = true
    try Self.synchronise(Self.parent(of: path))
  }

  /// Bytes that may still be written where `path` is to be; nil if nobody knows.
  static func freeSpace(for path: String) -> (folder: String, bytes: Int)? {
    let folder = parent(of: path)
    return Weights.freeSpace(at: folder).map { (folder, $0) }
  }

  static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func names(_ path: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  }

  private static func synchronise(_ path: String) throws(ConversionError) {
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(path: path, code: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .system(path: path, code: errno) }
  }
}
