import Dispatch
import Glibc
import Inference
import Synchronization

/// The signals that Pipit acts on.
///
/// The handler only notes the signal and writes a byte to a pipe; a dispatch source reads the pipe
/// and calls whoever listens. A second SIGINT or SIGTERM that nobody has taken note of ends the
/// process at once, however stuck it is. SIGHUP, a terminal that is gone, is dealt with as SIGTERM.
/// None of them ends a load in a way that `LoadSentinel` takes for a death.
enum Signals {
  /// What is to be done when a signal comes.
  typealias Listener = @Sendable (_ signal: Int32) -> Void

  private static let listener = Mutex<Listener?>(nil)

  /// Starts listening.
  ///
  /// SIGPIPE is ignored: writing says `EPIPE` instead.
  static func start() {
    _ = signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    signalPipe.store(ends[1], ordering: .relaxed)
    let readEnd = Descriptor(number: ends[0])
    DispatchQueue(label: "signals", qos: .userInteractive).async {
      while let byte = try? readEnd.read(1).first { deliver(Int32(byte)) }
    }
    for number in [SIGINT, SIGTERM, SIGQUIT, SIGWINCH, SIGCONT] { install(number) }
    // Under `nohup` it is to stay ignored.
    if !isIgnored(SIGHUP) { install(SIGHUP) }
  }

  /// Hears signals from now on, in place of whoever did, on a thread of its own.
  ///
  /// While nobody listens, SIGINT and SIGTERM end the process.
  static func listen(_ new: Listener?) {
    listener.withLock { $0 = new }
  }

  private static func deliver(_ number: Int32) {
    if let hear = listener.withLock({ $0 }) {
      hear(number)
    } else if number == SIGINT || number == SIGTERM {
      TerminalGuard.restore()
      // A meter may have left the cursor within a line.
      if Descriptor.errors.isTerminal { try? Descriptor.errors.write("\n") }
      LoadSentinel.abandonCurrent()
      OutputFile.abandonCurrent()
      _exit(128 + number)
    }
  }

  /// The last SIGINT or SIGTERM has been dealt with: the next is a first one again.
  static func settle() {
    pendingEnds.store(0, ordering: .relaxed)
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static func install(_ number: Int32) {
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = handleSignal
    action.sa_flags = number == SIGWINCH || number == SIGCONT ? SA_RESTART : 0
    unsafe _ = sigaction(number, &action, nil)
  }
}

/// Where the handler writes; -1 before there is a pipe.
private let signalPipe = Atomic<Int32>(-1)
/// SIGINTs and SIGTERMs since the last `settle`.
private let pendingEnds = Atomic<Int32>(0)

/// Async-signal-safe: atomics, `write`, `tcsetattr`, `unlink`, `signal`, `raise` and `_exit` only.
private func handleSignal(_ received: Int32) {
  let saved = errno
  let number = received == SIGHUP ? SIGTERM : received
  if number == SIGQUIT {
    // Whoever asks for a core gets one.
    TerminalGuard.restore()
    LoadSentinel.abandonCurrent()
    _ = signal(SIGQUIT, SIG_DFL)
    raise(SIGQUIT)
    return
  }
  if number == SIGINT || number == SIGTERM {
    if pendingEnds.add(1, ordering: .relaxed).oldValue > 0 {
      TerminalGuard.restore()
      LoadSentinel.abandonCurrent()
      _exit(128 + number)
    }
  }
  var byte = UInt8(truncatingIfNeeded: number)
  unsafe _ = write(signalPipe.load(ordering: .relaxed), &byte, 1)
  errno = saved
}
