import FoundationEssentials
import Glibc

/// The desktop's clipboard, by a program where there is one, else by the terminal.
enum Clipboard {
  enum Way: Sendable, Equatable {
    case program(String)
    /// The terminal was asked to; it does not say whether it did.
    case terminal
  }

  /// More than this terminals refuse.
  private static let longestForTerminal = 74_000

  /// Copies a text; nil when there is no way to.
  ///
  /// - Throws: `SystemError` when the terminal cannot be written.
  static func copy(_ text: String, _ console: Console) throws -> Way? {
    if let program = program, run(program, text) { return .program(program[0]) }
    let bytes = Data(text.utf8)
    guard console.outputIsTerminal, Style.terminalHasEscapes,
      bytes.count <= longestForTerminal
    else { return nil }
    try console.writeStyled("\u{1B}]52;c;\(bytes.base64EncodedString())\u{7}")
    return .terminal
  }

  /// Over SSH a program would reach the wrong machine's clipboard.
  private static var program: [String]? {
    if environment("SSH_CONNECTION") != nil { return nil }
    if environment("WAYLAND_DISPLAY") != nil, isInstalled("wl-copy") { return ["wl-copy"] }
    if environment("DISPLAY") != nil, isInstalled("xclip") {
      return ["xclip", "-selection", "clipboard"]
    }
    return nil
  }

  private static func isInstalled(_ name: String) -> Bool {
    (environment("PATH") ?? "").split(separator: ":").contains {
      unsafe access("\($0)/\(name)", X_OK) == 0
    }
  }

  /// Hands a text to a program; whether it took it.
  private static func run(_ words: [String], _ text: String) -> Bool {
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    // xclip stays to serve the selection: it must not hold on to our output.
    unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    let argv = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe argv.forEach { unsafe free($0) } }
    var child: pid_t = 0
    let code = unsafe posix_spawnp(&child, words[0], &actions, nil, argv, environ)
    close(ends[0])
    guard code == 0 else {
      close(ends[1])
      return false
    }
    let isWritten = (try? Descriptor(number: ends[1]).write(text)) != nil
    close(ends[1])
    var status: Int32 = 0
    while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
    return isWritten && status == 0
  }
}
