import Glibc
import Synchronization

/// The terminal while a reply streams: what is typed does not appear within the reply, and is kept
/// for the next prompt, whatever its length.
///
/// Signals stay on, so that Ctrl-C stops the reply.
final class TypingMode: Sendable {
  private struct State {
    var typed: [UInt8] = []
    var isReading = false
  }

  private let state = Mutex(State())
  private let stopRead: Descriptor
  private let stopWrite: Descriptor
  private let thread = Mutex<pthread_t?>(nil)

  /// Nil when there is no terminal to set.
  init?() {
    var ends: [Int32] = [0, 0]
    guard Descriptor.input.isTerminal, unsafe pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    stopRead = Descriptor(number: ends[0])
    stopWrite = Descriptor(number: ends[1])
  }

  deinit {
    close(stopRead.number)
    close(stopWrite.number)
  }

  /// Hides what is typed from now on, and takes it down.
  func begin() {
    apply()
    state.withLock { $0 = State(typed: [], isReading: true) }
    var handle = pthread_t()
    let context = unsafe Unmanaged.passRetained(self).toOpaque()
    let code = unsafe pthread_create(
      &handle, nil,
      { context in
        if let context = unsafe context {
          unsafe Unmanaged<TypingMode>.fromOpaque(context).takeRetainedValue().readAll()
        }
        return nil
      }, context)
    if code == 0 {
      thread.withLock { $0 = handle }
    } else {
      unsafe Unmanaged<TypingMode>.fromOpaque(context).release()
    }
  }

  /// Leaves the keyboard to whoever reads next; what was typed meanwhile, as it came from it.
  ///
  /// The mode stays until the line editor sets its own: typing does not appear in between either.
  func end() -> [UInt8] {
    state.withLock { $0.isReading = false }
    try? stopWrite.write([0])
    if let handle = thread.withLock({ $0 }) { _ = pthread_join(handle, nil) }
    thread.withLock { $0 = nil }
    return state.withLock { $0.typed }
  }

  /// Sets the mode again after a shell had the terminal.
  func apply() {
    var mode = termios()
    guard unsafe tcgetattr(0, &mode) == 0 else { return }
    mode.c_lflag &= ~tcflag_t(ECHO | ICANON)
    _ = unsafe tcsetattr(0, TCSANOW, &mode)
  }

  private func readAll() {
    var requests = [
      pollfd(fd: stopRead.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: Descriptor.input.number, events: Int16(POLLIN), revents: 0),
    ]
    while state.withLock({ $0.isReading }) {
      if unsafe poll(&requests, 2, -1) < 0 {
        if errno == EINTR { continue }
        break
      }
      if requests[0].revents != 0 { break }
      guard requests[1].revents & Int16(POLLIN) != 0, let bytes = try? Descriptor.input.read(4096),
        !bytes.isEmpty
      else { break }
      state.withLock { $0.typed += bytes }
    }
    // Each end writes a byte, also when the loop has ended by itself.
    _ = try? stopRead.read(1)
  }
}

/// Puts the terminal back as it was found, also when a signal ends the process at once.
enum TerminalGuard {
  private static let isSet = Atomic(false)
  /// Whether the terminal has been asked to mark what is pasted.
  static let marksPastes = Atomic(false)

  /// Takes down how the terminal is set, the first time it is called.
  static func remember() {
    guard !isSet.load(ordering: .relaxed) else { return }
    unsafe savedMode.initialize(to: termios())
    guard unsafe tcgetattr(0, savedMode) == 0 else { return }
    isSet.store(true, ordering: .releasing)
    _ = atexit { TerminalGuard.restore() }
  }

  /// Async-signal-safe.
  static func restore() {
    if marksPastes.exchange(false, ordering: .relaxed) {
      let off: StaticString = "\u{1B}[?2004l"
      _ = unsafe write(1, off.utf8Start, off.utf8CodeUnitCount)
    }
    guard isSet.load(ordering: .acquiring) else { return }
    _ = unsafe tcsetattr(0, TCSANOW, savedMode)
  }
}

/// Allocated once and kept: a signal handler must not touch anything that takes a lock.
private nonisolated(unsafe) let savedMode = UnsafeMutablePointer<termios>.allocate(capacity: 1)
