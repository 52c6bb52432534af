import Glibc
import Synchronization

/// A file that a command writes, or standard output for `-`.
///
/// It gathers under another name beside its own, which it takes when it is whole: what was there before
/// stays until then.
final class OutputFile: Sendable {
  private let descriptor: Descriptor
  private let path: String
  private let target: String
  /// Where it gathers; nil where it is written in place.
  private let unfinished: String?
  /// The one that a signal would leave behind.
  private static let current = Mutex<String?>(nil)

  init(path: String) throws(FileFailure) {
    self.path = path
    if path == "-" {
      descriptor = .output
      (target, unfinished) = (path, nil)
      return
    }
    var status = stat()
    let exists = unsafe stat(path, &status) == 0
    // A device or a pipe is what it is under its own name only.
    let isPlain = !exists || status.st_mode & S_IFMT == S_IFREG
    target = exists ? Self.real(path) : path
    if exists, unsafe access(path, W_OK) != 0 { throw Self.failure(path) }
    if isPlain {
      let part = target + ".part"
      let number = unsafe open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
      if number >= 0 {
        if exists { fchmod(number, status.st_mode & 0o7777) }
        descriptor = Descriptor(number: number)
        unfinished = part
        Self.current.withLock { $0 = part }
        return
      }
      // Into a folder that takes no new files, an old one can still be written.
      guard exists, errno == EACCES || errno == EPERM else { throw Self.failure(path) }
    }
    let number = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard number >= 0 else { throw Self.failure(path) }
    descriptor = Descriptor(number: number)
    unfinished = nil
  }

  private static func failure(_ path: String) -> FileFailure {
    FileFailure(path: path, error: SystemError(code: errno, operation: .write))
  }

  /// The file that a link leads to.
  private static func real(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  func write(_ bytes: [UInt8]) throws {
    do throws(SystemError) {
      try descriptor.write(bytes)
    } catch {
      if path == "-" { throw error }
      throw FileFailure(path: path, error: error)
    }
  }

  /// It is whole, and takes its name.
  func finish() throws(FileFailure) {
    guard let unfinished else { return }
    guard unsafe rename(unfinished, target) == 0 else { throw Self.failure(path) }
    Self.current.withLock { $0 = nil }
  }

  /// Removes what is not whole when a signal ends the process.
  static func abandonCurrent() {
    if let part = current.withLock({ $0.take() }) { unsafe _ = unlink(part) }
  }

  deinit {
    if descriptor.number > 2 { close(descriptor.number) }
    if unfinished != nil { Self.abandonCurrent() }
  }
}

/// A file named by the user that cannot be read or written.
struct FileFailure: Error, Equatable {
  let path: String
  let error: SystemError
}

extension FileFailure {
  /// The bytes of a file, or of standard input for `-`.
  static func read(_ path: String) throws -> [UInt8] {
    var descriptor = Descriptor.input
    if path != "-" {
      let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard number >= 0 else {
        throw FileFailure(path: path, error: SystemError(code: errno, operation: .read))
      }
      descriptor = Descriptor(number: number)
    }
    defer { if path != "-" { close(descriptor.number) } }
    var bytes: [UInt8] = []
    do throws(SystemError) {
      while true {
        let chunk = try descriptor.read(1 << 16)
        if chunk.isEmpty { return bytes }
        bytes += chunk
        if bytes.count > StandardInput.limit { break }
      }
    } catch {
      throw FileFailure(path: path, error: error)
    }
    throw InputError.tooLong(path: path == "-" ? nil : path, limit: StandardInput.limit)
  }
}
