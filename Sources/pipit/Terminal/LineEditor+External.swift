import CEdit
import Glibc

/// Ctrl-G: the line in the user's own editor.
extension LineEditor {
  func editExternally() {
    let text = currentText.whole
    clearLine()
    _ = unsafe pipit_edit_prepare_terminal(edit, 0)
    setBracketedPaste(false)
    TerminalGuard.restore()
    let edited = ExternalEditor.edit(text)
    drainWakes()
    setBracketedPaste(true)
    _ = unsafe pipit_edit_prepare_terminal(edit, 1)
    switch edited {
    case .success(let new): replaceText(new)
    case .failure(let failure):
      try? Descriptor.output.write("\r" + style.dim(failure.sentence) + "\r\n")
    }
    drawAnew()
  }

  /// Signals that came while another program had the terminal were meant for it.
  private func drainWakes() {
    while wakeRead.isReadable(within: 0), let bytes = try? wakeRead.read(64), !bytes.isEmpty {}
  }
}

/// Runs `$VISUAL` or `$EDITOR` on a text.
enum ExternalEditor {
  struct Failure: Error {
    let editor: String
    let reason: String
    var sentence: String { "\(editor) did not run: \(reason)." }
  }

  static func edit(_ text: String) -> Result<String, Failure> {
    let editor =
      [environment("VISUAL"), environment("EDITOR")].compactMap { $0 }
      .first { !$0.isEmpty } ?? "vi"
    let folder = environment("TMPDIR") ?? "/tmp"
    var template = Array("\(folder)/pipit-XXXXXX.md".utf8CString)
    let number = unsafe mkstemps(&template, 3)
    guard number >= 0 else {
      return .failure(Failure(editor: editor, reason: unsafe String(cString: strerror(errno))))
    }
    let path = String(
      decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unsafe unlink(path) }
    try? Descriptor(number: number).write(text.isEmpty ? "" : text + "\n")
    close(number)
    let code = run("exec \(editor) \"$1\"", path)
    guard code == 0 else {
      return .failure(
        Failure(
          editor: editor,
          reason: code == 127 ? "it was not found" : "it ended with code \(code)"))
    }
    guard let bytes = try? FileFailure.read(path) else {
      return .failure(Failure(editor: editor, reason: "its file could not be read"))
    }
    guard var edited = String(validating: bytes, as: UTF8.self) else {
      return .failure(Failure(editor: editor, reason: "its file is not UTF-8 text"))
    }
    while edited.hasSuffix("\n") { edited.removeLast() }
    return .success(edited)
  }

  /// Runs a shell command with one argument on this terminal; its exit code.
  private static func run(_ command: String, _ argument: String) -> Int32 {
    let line = ["/bin/sh", "-c", command, "sh", argument]
    let words = unsafe line.map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { _ = unsafe posix_spawnattr_destroy(&attributes) }
    // Pipit ignores SIGPIPE; a program that it starts should not.
    var defaults = sigset_t()
    unsafe sigemptyset(&defaults)
    unsafe sigaddset(&defaults, SIGPIPE)
    unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var child: pid_t = 0
    guard unsafe posix_spawn(&child, "/bin/sh", nil, &attributes, words, environ) == 0 else {
      return 127
    }
    var status: Int32 = 0
    while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }
}
