import Foundation
import Glibc

/// A process on a terminal, as seen by whoever sits before it.
final class PseudoTerminal: @unchecked Sendable {
  // Driven from the thread of one test.
  private let master: Int32
  let child: Child
  /// All that was written to the terminal.
  private(set) var screen = ""
  /// How much of it `picture` shows.
  private var pictured = 0
  private var picture: Screen

  /// What the terminal shows of what has been read.
  var shown: Screen {
    let new = String(decoding: screen.utf8.dropFirst(pictured), as: UTF8.self)
    picture.feed(new)
    pictured = screen.utf8.count
    return picture
  }

  /// Makes the window narrower or wider.
  func resize(columns: Int) {
    // What the process has written it has written for the window as it is.
    while let more = Child.readSome(master, milliseconds: 0), !more.isEmpty { take(more) }
    _ = shown
    picture.resize(columns: columns)
    var size = winsize(
      ws_row: UInt16(picture.height), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = unsafe ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  init(
    _ binary: BuiltBinary, _ arguments: [String], columns: Int = 80, rows: Int = 24,
    environment: [String: String] = [:]
  ) throws {
    picture = Screen(columns: columns, height: rows)
    master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var unlock: Int32 = 0
    var number: UInt32 = 0
    guard master >= 0, unsafe ioctl(master, 0x4004_5431, &unlock) == 0,
      unsafe ioctl(master, 0x8004_5430, &number) == 0
    else { throw SpawnError(code: errno) }
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = unsafe ioctl(master, UInt(TIOCSWINSZ), &size)
    var before = termios()
    _ = unsafe tcgetattr(master, &before)
    modeBefore = before.c_lflag
    child = try Child(
      BuiltBinary.path, arguments, terminal: "/dev/pts/\(number)",
      environment: binary.environment(environment))
  }

  deinit {
    child.kill(SIGKILL)
    close(master)
  }

  /// What `mode` was before the process began.
  let modeBefore: UInt32

  /// Whether lines are echoed and edited by the kernel.
  var mode: UInt32 {
    var mode = termios()
    _ = unsafe tcgetattr(master, &mode)
    return mode.c_lflag
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    var offset = 0
    while offset < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { buffer in
        unsafe write(master, buffer.baseAddress?.advanced(by: offset), bytes.count - offset)
      }
      if written <= 0 { break }
      offset += written
    }
  }

  /// Text as a terminal pastes it.
  func paste(_ text: String) {
    type("\u{1B}[200~" + text + "\u{1B}[201~")
  }

  /// Waits until `text` is written after what was there at the last call; whether it was.
  func expect(_ text: String, seconds: Double = 20) -> Bool {
    // Not by the clock: a machine that stands still for a while is no failure of the program.
    var waited = 0.0
    var last = Date()
    while true {
      // The sign of a prompt is bold, its space is not.
      let styled = text == "> " || text == ". " ? String(text.prefix(1)) + "\u{1B}[0m " : text
      if let found = screen[mark...].range(of: text) ?? screen[mark...].range(of: styled) {
        mark = found.upperBound
        return true
      }
      guard waited < seconds, let more = Child.readSome(master, milliseconds: 100) else {
        return false
      }
      waited += min(Date().timeIntervalSince(last), 0.25)
      last = Date()
      take(more)
    }
  }

  private func take(_ more: Data) {
    let position = screen.utf8.distance(from: screen.startIndex, to: mark)
    pending += more
    // A character may be cut at the end of what was read.
    if let text = String(data: pending, encoding: .utf8) {
      screen += text
      pending = Data()
    }
    mark = screen.utf8.index(screen.startIndex, offsetBy: position)
  }

  private lazy var mark = screen.startIndex
  private var pending = Data()

  /// Reads on until the process has ended; its exit code.
  func finish() -> Int32 {
    while let more = Child.readSome(master, milliseconds: 20_000) {
      // A process that says nothing for so long is stuck.
      if more.isEmpty {
        child.kill(SIGKILL)
        break
      }
      screen += String(decoding: more, as: UTF8.self)
    }
    return child.wait()
  }
}
