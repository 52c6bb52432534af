import Glibc

/// Another program, run to its end.
enum Subprocess {
  struct Outcome {
    /// The exit code; 128 and the signal's number when a signal ended it.
    var code: Int32
    /// The end of what it wrote to standard error.
    var errors: String
  }

  /// Runs a program with nothing on its standard input; what it says goes to `output`, a file that is
  /// made anew, or nowhere.
  ///
  /// A pause ends it.
  ///
  /// - Throws: `LibraryError.cannotRead` when it cannot be started, `NetworkError.paused`.
  static func run(
    _ path: String, _ arguments: [String], output: String? = nil, folder: String, pause: PauseSwitch
  ) throws -> Outcome {
    let errorPath = folder + "/.errors"
    defer { _ = unsafe unlink(errorPath) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, output ?? "/dev/null", flags, 0o600)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, errorPath, flags, 0o600)

    let words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var process: pid_t = 0
    let code = unsafe posix_spawnp(&process, path, &actions, nil, words, environ)
    guard code == 0 else { throw LibraryError.cannotRead(path: path, code: code) }

    var status: Int32 = 0
    while true {
      let ended = unsafe waitpid(process, &status, WNOHANG)
      if ended == process { break }
      if ended < 0, errno != EINTR { break }
      if pause.isPaused {
        kill(process, SIGTERM)
        unsafe waitpid(process, &status, 0)
        throw NetworkError.paused(done: 0, total: nil)
      }
      usleep(20_000)
    }
    let signal = status & 0x7F
    let said = (try? SmallFiles.read(errorPath, limit: 1_000_000)) ?? []
    return Outcome(
      code: signal == 0 ? (status >> 8) & 0xFF : 128 + signal,
      errors: String(decoding: said.suffix(4000), as: UTF8.self))
  }
}
