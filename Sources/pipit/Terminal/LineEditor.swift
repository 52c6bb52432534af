import CEdit
import Glibc
import Synchronization

/// What a reader of lines brings.
enum LineInput: Sendable, Equatable {
  case line(String)
  /// Ctrl-C, and whether it discarded text.
  case interrupted(hadText: Bool)
  case terminated
  case end
}

/// libedit with wide characters, bracketed paste, history and signals.
///
/// Used from one thread; only `wake(_:)` may come from another. libedit calls back with the
/// editor as its client data, which lives as long as the `EditLine` does.
@safe final class LineEditor {
  /// Why reading was interrupted, as a byte on the wake pipe.
  private enum Wake {
    static let interrupt = UInt8(SIGINT)
    static let terminate = UInt8(SIGTERM)
    static let resize = UInt8(SIGWINCH)
    static let resume = UInt8(SIGCONT)
  }

  private let edit: OpaquePointer
  private let history: OpaquePointer
  /// The prompt as libedit asks for it.
  private var prompt: UnsafeMutableBufferPointer<wchar_t>
  private let style: Style
  private let wakeRead: Descriptor
  private let wakeWrite: Descriptor
  private var decoder = ScalarDecoder()
  /// The prompt as it is seen.
  private var promptText = ""
  /// The SIGCONT of our own suspension is still to come and needs no answer.
  private var hasResumed = false
  private var wasInterrupted = false
  private var wasTerminated = false

  /// Sets libedit up; nil when it cannot be.
  init?(style: Style, history lines: [String]) {
    Self.setLocale()
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0, let edit = unsafe pipit_edit_open("pipit"),
      let history = unsafe history_winit()
    else { return nil }
    unsafe self.edit = edit
    unsafe self.history = history
    self.style = style
    unsafe prompt = .allocate(capacity: 1)
    unsafe prompt.initialize(repeating: 0)
    wakeRead = Descriptor(number: ends[0])
    wakeWrite = Descriptor(number: ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    setUp()
    for line in lines { remember(line) }
  }

  deinit {
    unsafe el_end(edit)
    unsafe history_wend(history)
    unsafe prompt.deallocate()
  }

  /// Reads a line, without its newline; it may hold others that were pasted.
  func read(prompt text: String) -> LineInput {
    setPrompt(text)
    wasInterrupted = false
    wasTerminated = false
    // libedit shows the prompt first and leaves line mode after: what is typed between would be
    // read under the other's rules.
    _ = unsafe pipit_edit_prepare_terminal(edit, 1)
    setBracketedPaste(true)
    var count: Int32 = 0
    let line = unsafe el_wgets(edit, &count)
    let read =
      unsafe line.map { line in
        unsafe WideText.text(UnsafeBufferPointer(start: line, count: Int(count)))
      }
    setBracketedPaste(false)
    if wasTerminated {
      try? Descriptor.output.write("\n")
      return .terminated
    }
    if wasInterrupted { return .interrupted(hadText: discardedText) }
    guard var read else { return .end }
    if read.hasSuffix("\n") { read.removeLast() }
    return .line(read)
  }

  /// Whether the line that Ctrl-C ended had text.
  private var discardedText = false

  /// Adds a line to the history of this session.
  func remember(_ line: String) {
    _ = unsafe pipit_history_enter(history, WideText.wide(line))
  }

  /// Tells a `read` that is under way, or the next one, of a signal.
  ///
  /// From any thread.
  func wake(_ signal: Int32) {
    Self.wake(wakeWrite, signal)
  }

  /// What `wake` does, for those who may not hold the editor.
  var waker: @Sendable (Int32) -> Void {
    let descriptor = wakeWrite
    return { Self.wake(descriptor, $0) }
  }

  private static func wake(_ descriptor: Descriptor, _ signal: Int32) {
    try? descriptor.write([UInt8(truncatingIfNeeded: signal)])
  }

  // MARK: - Setting up

  /// The wide functions need a UTF-8 locale; without one every character beyond ASCII breaks.
  private static func setLocale() {
    _ = unsafe setlocale(LC_CTYPE, "")
    let codeset = unsafe String(cString: nl_langinfo(nl_item(CODESET)))
    if codeset.uppercased() != "UTF-8" { _ = unsafe setlocale(LC_CTYPE, "C.UTF-8") }
  }

  private func setUp() {
    _ = unsafe pipit_edit_set_data(edit, Unmanaged.passUnretained(self).toOpaque())
    _ = unsafe pipit_edit_set_editor(edit, WideText.wide("emacs"))
    _ = unsafe pipit_edit_set_reader(edit, readCharacter)
    _ = unsafe pipit_edit_set_prompt(edit, currentPrompt, 1)
    _ = unsafe pipit_history_set_size(history, 1000)
    _ = unsafe pipit_history_set_unique(history, 1)
    _ = unsafe pipit_edit_set_history(edit, history)
    // Ctrl-C comes as a character while editing, and as a signal otherwise.
    _ = unsafe pipit_edit_set_terminal_mode(edit, WideText.wide("-d"), WideText.wide("-isig"))
    unsafe add("pipit-interrupt", "Give the line up", interruptLine)
    unsafe add("pipit-suspend", "Suspend Pipit", suspend)
    unsafe add("pipit-paste", "Insert pasted text", insertPaste)
    unsafe add("pipit-newline", "Insert a newline", insertNewline)
    for (key, function) in Self.bindings {
      _ = unsafe pipit_edit_bind(edit, WideText.wide(key), WideText.wide(function))
    }
  }

  private static let bindings = [
    ("^C", "pipit-interrupt"), ("^Z", "pipit-suspend"), ("\\e[200~", "pipit-paste"),
    ("\\e^M", "pipit-newline"), ("\\e^J", "pipit-newline"), ("^R", "em-inc-search-prev"),
    ("\\e[3~", "ed-delete-next-char"), ("\\e[H", "ed-move-to-beg"), ("\\e[F", "ed-move-to-end"),
    ("\\e[1~", "ed-move-to-beg"), ("\\e[4~", "ed-move-to-end"), ("\\e[1;5D", "ed-prev-word"),
    ("\\e[1;5C", "em-next-word"),
  ]

  /// libedit keeps the name and help of a function without copying them: they are never freed.
  private func add(_ name: String, _ help: String, _ function: pipit_edit_function) {
    func kept(_ text: String) -> UnsafePointer<wchar_t>? {
      let wide = WideText.wide(text)
      let copy = UnsafeMutableBufferPointer<wchar_t>.allocate(capacity: wide.count)
      _ = unsafe copy.initialize(from: wide)
      return unsafe UnsafePointer(copy.baseAddress)
    }
    _ = unsafe pipit_edit_add_function(edit, kept(name), kept(help), function)
  }

  private func setPrompt(_ text: String) {
    promptText = text
    // libedit leaves out of its reckoning what stands between two of these.
    let mark = "\u{1}"
    let shown =
      style.hasColor ? "\(mark)\u{1B}[1m\(mark)\(text)\(mark)\u{1B}[0m\(mark)" : text
    let wide = WideText.wide(shown)
    unsafe prompt.deallocate()
    unsafe prompt = .allocate(capacity: wide.count)
    _ = unsafe prompt.initialize(from: wide)
  }

  private func setBracketedPaste(_ isOn: Bool) {
    guard Style.terminalHasEscapes else { return }
    try? Descriptor.output.write(isOn ? "\u{1B}[?2004h" : "\u{1B}[?2004l")
  }

  // MARK: - What libedit calls

  fileprivate static func of(_ edit: OpaquePointer?) -> LineEditor? {
    guard let edit = unsafe edit, let data = unsafe pipit_edit_data(edit) else { return nil }
    return unsafe Unmanaged<LineEditor>.fromOpaque(data).takeUnretainedValue()
  }

  fileprivate var promptPointer: UnsafeMutablePointer<wchar_t>? { unsafe prompt.baseAddress }

  /// The next scalar; nil at the end of input.
  fileprivate func nextScalar() -> Unicode.Scalar? {
    while true {
      if let scalar = decoder.next() { return scalar }
      switch waitForInput() {
      case .input:
        guard let bytes = try? Descriptor.input.read(4096), !bytes.isEmpty else { return nil }
        decoder.append(bytes)
      case .wake:
        for byte in (try? wakeRead.read(64)) ?? [] {
          switch byte {
          case Wake.interrupt: return "\u{3}"
          case Wake.terminate:
            wasTerminated = true
            return nil
          case Wake.resize:
            clearLine()
            unsafe el_resize(edit)
            _ = unsafe pipit_edit_refresh(edit)
          case Wake.resume where hasResumed:
            hasResumed = false
          case Wake.resume:
            resume()
          default: break
          }
        }
      case .failed: return nil
      }
    }
  }

  private enum Readiness { case input, wake, failed }

  private func waitForInput() -> Readiness {
    var requests = [
      pollfd(fd: wakeRead.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: Descriptor.input.number, events: Int16(POLLIN), revents: 0),
    ]
    while unsafe poll(&requests, 2, -1) < 0 {
      if errno != EINTR { return .failed }
    }
    if requests[0].revents != 0 { return .wake }
    return .input
  }

  fileprivate func interrupt() {
    let line = unsafe el_wline(edit)
    discardedText =
      unsafe line.map { unsafe $0.pointee.lastchar > $0.pointee.buffer } ?? false
    wasInterrupted = true
    try? Descriptor.output.write("^C\n")
  }

  fileprivate func suspendProcess() {
    _ = unsafe pipit_edit_prepare_terminal(edit, 0)
    setBracketedPaste(false)
    try? Descriptor.output.write("\n")
    raise(SIGTSTP)
    hasResumed = true
    resume()
  }

  /// Draws the line anew after others had the terminal.
  private func resume() {
    setBracketedPaste(true)
    _ = unsafe pipit_edit_prepare_terminal(edit, 1)
    try? Descriptor.output.write("\r")
    _ = unsafe pipit_edit_refresh(edit)
  }

  /// Goes to where the prompt begins and clears from there: after a resize libedit draws as if
  /// the cursor stood at the left edge of a fresh line.
  private func clearLine() {
    guard Style.terminalHasEscapes, let line = unsafe el_wline(edit)?.pointee,
      let start = unsafe line.buffer, let cursor = unsafe line.cursor
    else { return }
    let before = unsafe UnsafeBufferPointer(start: start, count: cursor - start)
    let columns = max(Descriptor.output.columns, 1)
    let rows = unsafe TextWidth.rows(promptText + WideText.text(before), columns: columns)
    try? Descriptor.output.write("\r" + (rows > 0 ? "\u{1B}[\(rows)A" : "") + "\u{1B}[J")
  }

  /// Takes the characters up to the end of a paste into the line, as one text.
  fileprivate func takePaste() {
    let end = Array("\u{1B}[201~".unicodeScalars)
    var scalars: [Unicode.Scalar] = []
    while let scalar = nextScalar() {
      scalars.append(scalar)
      if scalar == "~", scalars.suffix(end.count) == end[...] {
        scalars.removeLast(end.count)
        break
      }
    }
    insert(Self.cleaned(scalars))
  }

  /// Pasted text with newlines for carriage returns, no other control characters, and without
  /// the newlines at its end: the reader sends it.
  static func cleaned(_ scalars: [Unicode.Scalar]) -> String {
    var text = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in scalars {
      if scalar == "\r" {
        text.append("\n")
      } else if !(scalar == "\n" && previous == "\r") {
        text.append(scalar)
      }
      previous = scalar
    }
    while text.last == "\n" { text.removeLast() }
    return ControlFilter.filtered(String(text))
  }

  fileprivate func insert(_ text: String) {
    if text.isEmpty { return }
    _ = unsafe el_winsertstr(edit, WideText.wide(text))
  }
}

// MARK: - C entry points

private func readCharacter(
  _ edit: OpaquePointer?, _ result: UnsafeMutablePointer<wchar_t>?
) -> Int32 {
  guard let editor = unsafe LineEditor.of(edit), let scalar = editor.nextScalar() else { return 0 }
  unsafe result?.pointee = wchar_t(bitPattern: scalar.value)
  return 1
}

private func currentPrompt(_ edit: OpaquePointer?) -> UnsafeMutablePointer<wchar_t>? {
  unsafe LineEditor.of(edit)?.promptPointer
}

private func interruptLine(_ edit: OpaquePointer?, _ key: wint_t) -> UInt8 {
  unsafe LineEditor.of(edit)?.interrupt()
  return UInt8(CC_EOF)
}

private func suspend(_ edit: OpaquePointer?, _ key: wint_t) -> UInt8 {
  unsafe LineEditor.of(edit)?.suspendProcess()
  return UInt8(CC_REDISPLAY)
}

private func insertPaste(_ edit: OpaquePointer?, _ key: wint_t) -> UInt8 {
  unsafe LineEditor.of(edit)?.takePaste()
  return UInt8(CC_REFRESH)
}

private func insertNewline(_ edit: OpaquePointer?, _ key: wint_t) -> UInt8 {
  unsafe LineEditor.of(edit)?.insert("\n")
  return UInt8(CC_REFRESH)
}
