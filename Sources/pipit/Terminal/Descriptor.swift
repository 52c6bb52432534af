import Glibc

/// A file descriptor of this process and what can be done with it: the system-call edge of the
/// terminal.
struct Descriptor: Sendable {
  let number: Int32

  static let input = Descriptor(number: 0)
  static let output = Descriptor(number: 1)
  static let errors = Descriptor(number: 2)

  /// Fills the places of standard streams that were closed, so that no file opened later is taken
  /// for one: input is then empty, and writing to output still fails.
  static func holdStandardStreams() {
    for (number, flags) in [(Int32(0), O_RDONLY), (1, O_RDONLY), (2, O_WRONLY)]
    where fcntl(number, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", flags)
    }
  }

  var isTerminal: Bool { isatty(number) == 1 }

  /// What reading from it means.
  enum Kind: Sendable { case terminal, file, pipe, device, closed }

  var kind: Kind {
    if isTerminal { return .terminal }
    var status = stat()
    guard unsafe fstat(number, &status) == 0 else { return .closed }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFIFO, S_IFSOCK: .pipe
    default: .device
    }
  }

  /// Writes all of it, waiting while a non-blocking descriptor is full.
  func write(_ text: String) throws(SystemError) {
    var text = text
    let code = text.withUTF8 { bytes in unsafe writeAll(UnsafeRawBufferPointer(bytes)) }
    if code != 0 { throw SystemError(code: code, operation: .write) }
  }

  func write(_ bytes: [UInt8]) throws(SystemError) {
    let code = unsafe bytes.withUnsafeBytes { bytes in unsafe writeAll(bytes) }
    if code != 0 { throw SystemError(code: code, operation: .write) }
  }

  /// 0, or the error's number.
  private func writeAll(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    var offset = 0
    while offset < bytes.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset...])
      let written = unsafe Glibc.write(number, rest.baseAddress, rest.count)
      if written >= 0 {
        offset += written
      } else if errno == EAGAIN {
        _ = waitUntil(POLLOUT, milliseconds: -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }

  /// Reads up to `count` bytes; empty at the end.
  func read(_ count: Int) throws(SystemError) -> [UInt8] {
    var code: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while true {
        let size = unsafe Glibc.read(number, buffer.baseAddress, count)
        if size >= 0 {
          initialized = size
          return
        }
        if errno == EAGAIN {
          _ = waitUntil(POLLIN, milliseconds: -1)
        } else if errno != EINTR {
          code = errno
          return
        }
      }
    }
    if code != 0 { throw SystemError(code: code, operation: .read) }
    return bytes
  }

  /// Whether something can be read (or the end has come) within the time.
  func isReadable(within milliseconds: Int32) -> Bool {
    waitUntil(POLLIN, milliseconds: milliseconds)
  }

  private func waitUntil(_ events: Int32, milliseconds: Int32) -> Bool {
    var request = pollfd(fd: number, events: Int16(events), revents: 0)
    return unsafe poll(&request, 1, milliseconds) > 0
  }

  /// The terminal's columns, 80 when nobody knows.
  var columns: Int { size.columns }

  /// The terminal's columns and rows, 80 and 24 when nobody knows.
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard unsafe ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
  }
}

/// A system call that failed.
struct SystemError: Error, Equatable {
  enum Operation: Equatable { case read, write }

  let code: Int32
  let operation: Operation

  /// The reader of a pipe has gone: not a failure.
  var isClosedPipe: Bool { code == EPIPE }

  /// The system's words for it.
  var reason: String { unsafe String(cString: strerror(code)) }
}

/// The value of an environment variable; nil when unset.
func environment(_ name: String) -> String? {
  unsafe getenv(name).map { unsafe String(cString: $0) }
}
