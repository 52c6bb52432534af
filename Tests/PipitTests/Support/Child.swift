import Foundation
import Glibc

/// A running process, its three streams pipes or a terminal.
final class Child: @unchecked Sendable {
  // One test drives a child from one thread; readers only touch their own stream.
  enum Input { case pipe, null, closed }

  let processID: pid_t
  private var input: Int32 = -1
  private var output: Int32 = -1
  private var errors: Int32 = -1

  /// Starts with pipes.
  init(
    _ path: String, _ arguments: [String], input kind: Input, environment: [String]
  ) throws {
    Self.spawning.lock()
    defer { Self.spawning.unlock() }
    var inputPipe = try Self.makePipe()
    let outputPipe = try Self.makePipe()
    let errorPipe = try Self.makePipe()
    if kind == .null {
      close(inputPipe[0])
      inputPipe[0] = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    }
    processID = try unsafe Self.spawn(path, arguments, environment) { actions in
      if kind == .closed {
        _ = unsafe posix_spawn_file_actions_addclose(&actions, 0)
      } else {
        _ = unsafe posix_spawn_file_actions_adddup2(&actions, inputPipe[0], 0)
      }
      _ = unsafe posix_spawn_file_actions_adddup2(&actions, outputPipe[1], 1)
      _ = unsafe posix_spawn_file_actions_adddup2(&actions, errorPipe[1], 2)
    }
    close(inputPipe[0])
    close(outputPipe[1])
    close(errorPipe[1])
    input = inputPipe[1]
    output = outputPipe[0]
    errors = errorPipe[0]
  }

  /// Starts on a terminal of its own, which `terminal` is the other end of.
  init(
    _ path: String, _ arguments: [String], terminal: String, environment: [String]
  ) throws {
    Self.spawning.lock()
    defer { Self.spawning.unlock() }
    processID = try unsafe Self.spawn(path, arguments, environment, newSession: true) { actions in
      _ = unsafe posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
      _ = unsafe posix_spawn_file_actions_adddup2(&actions, 0, 1)
      _ = unsafe posix_spawn_file_actions_adddup2(&actions, 0, 2)
    }
  }

  func send(_ data: Data) {
    let descriptor = input
    let writer = Thread {
      unsafe data.withUnsafeBytes { bytes in
        var offset = 0
        while offset < bytes.count {
          let written = unsafe write(
            descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
          if written <= 0 { break }
          offset += written
        }
      }
      close(descriptor)
    }
    signal(SIGPIPE, SIG_IGN)
    input = -1
    writer.start()
  }

  /// Sends a line and leaves the input open.
  func sendLine(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    unsafe bytes.withUnsafeBytes { _ = unsafe write(input, $0.baseAddress, $0.count) }
  }

  func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  func closeOutput() {
    close(output)
    output = -1
  }

  func kill(_ signal: Int32) {
    _ = Glibc.kill(processID, signal)
  }

  /// Waits until standard output holds `text`, and gives what it held.
  func waitForOutput(_ text: String, seconds: Int = 120) -> String {
    var seen = Data()
    let deadline = Date().addingTimeInterval(TimeInterval(seconds))
    while Date() < deadline {
      guard let more = Self.readSome(output) else { break }
      seen += more
      if String(decoding: seen, as: UTF8.self).contains(text) { break }
    }
    return String(decoding: seen, as: UTF8.self)
  }

  /// Reads both streams to their ends and waits for the process, which is killed after so long: far
  /// longer than it takes, since the machine may have other work.
  func finish(seconds: TimeInterval = 240) -> Outcome {
    closeInput()
    var outcome = Outcome(code: -1, output: Data(), errors: Data())
    var open = [output, errors].filter { $0 >= 0 }
    let deadline = Date().addingTimeInterval(seconds)
    while !open.isEmpty {
      if Date() > deadline { kill(SIGKILL) }
      // Both at once: a wait for the one that is silent would be counted as the process's time.
      var requests = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      _ = unsafe poll(&requests, nfds_t(requests.count), 1000)
      for request in requests where request.revents != 0 {
        guard let data = Self.readSome(request.fd, milliseconds: 0) else {
          open.removeAll { $0 == request.fd }
          close(request.fd)
          continue
        }
        if request.fd == output { outcome.output += data } else { outcome.errors += data }
      }
    }
    outcome.code = wait()
    return outcome
  }

  /// Waits for the end; the exit code.
  func wait() -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(processID, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// What standard output has now, empty after the time, nil at the end.
  func readOutput(milliseconds: Int32) -> Data? {
    Self.readSome(output, milliseconds: milliseconds)
  }

  /// What can be read now, empty after the time, nil at the end.
  static func readSome(_ descriptor: Int32, milliseconds: Int32 = 200) -> Data? {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&request, 1, milliseconds) > 0 else { return Data() }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe read(descriptor, &buffer, buffer.count)
    return count > 0 ? Data(buffer[..<count]) : nil
  }

  /// Held while pipes are made and a process started, or another one would inherit their ends.
  private static let spawning = NSLock()

  private static func makePipe() throws -> [Int32] {
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { throw SpawnError(code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends
  }

  private static func spawn(
    _ path: String, _ arguments: [String], _ environment: [String], newSession: Bool = false,
    _ addActions: (inout posix_spawn_file_actions_t) -> Void
  ) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe addActions(&actions)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { _ = unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var defaults = sigset_t()
    unsafe sigemptyset(&none)
    unsafe sigemptyset(&defaults)
    for number in [SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGQUIT] {
      unsafe sigaddset(&defaults, number)
    }
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
    // POSIX_SPAWN_SETSID is a macro that Swift does not see.
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (newSession ? 0x80 : 0)
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

    let argv = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    let envp = unsafe environment.map { unsafe strdup($0) } + [nil]
    defer { unsafe (argv + envp).forEach { unsafe free($0) } }
    var processID: pid_t = 0
    let code = unsafe posix_spawn(&processID, path, &actions, &attributes, argv, envp)
    guard code == 0 else { throw SpawnError(code: code) }
    return processID
  }
}

struct SpawnError: Error {
  let code: Int32
}
