import CEdit
import Glibc

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
/// Used from one thread; only `waker` may be called from another. libedit calls back with the
/// editor as its client data, which lives as long as the `EditLine` does.
@safe final class LineEditor {
  /// Why reading was interrupted, as a byte on the wake pipe.
  enum Wake {
    static let interrupt = UInt8(SIGINT)
    static let terminate = UInt8(SIGTERM)
    static let resize = UInt8(SIGWINCH)
    static let resume = UInt8(SIGCONT)
  }

  let edit: OpaquePointer
  let history: OpaquePointer
  /// The prompt as libedit asks for it.
  var prompt: UnsafeMutableBufferPointer<wchar_t>
  let style: Style
  let wakeRead: Descriptor
  private let wakeWrite: Descriptor
  var decoder = ScalarDecoder()
  /// The prompt as it is seen.
  var promptText = ""
  /// The SIGCONT of our own suspension is still to come and needs no answer.
  var hasResumed = false
  var wasInterrupted = false
  /// Whether the line that Ctrl-C ended had text.
  var discardedText = false
  var wasTerminated = false
  /// The text when what is on the screen was last looked at.
  var settledText = ""
  /// What was typed before, oldest first.
  private(set) var entries: [String] = []
  /// What may follow the text before the cursor.
  var completer: ((String) -> Completion?)?

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
    // The window may have changed while a reply was written.
    unsafe el_resize(edit)
    setBracketedPaste(true)
    var count: Int32 = 0
    let line = unsafe el_wgets(edit, &count)
    let read =
      unsafe line.map { line in
        unsafe WideText.text(UnsafeBufferPointer(start: line, count: Int(count)))
      }
    // Pastes stay marked, for one that comes while a reply streams.
    if wasTerminated {
      try? Descriptor.output.write("\n")
      return .terminated
    }
    if wasInterrupted { return .interrupted(hadText: discardedText) }
    guard var read else { return .end }
    if read.hasSuffix("\n") { read.removeLast() }
    return .line(read)
  }

  /// The editor that libedit calls back for.
  static func of(_ edit: OpaquePointer?) -> LineEditor? {
    guard let edit = unsafe edit, let data = unsafe pipit_edit_data(edit) else { return nil }
    return unsafe Unmanaged<LineEditor>.fromOpaque(data).takeUnretainedValue()
  }

  /// Adds a line to the history of this session.
  func remember(_ line: String) {
    // The file that lines of earlier sessions come from may hold anything.
    let line = ControlFilter.filtered(line)
    entries.append(line)
    _ = unsafe pipit_history_enter(history, WideText.wide(line))
  }

  /// Tells a `read` that is under way, or the next one, of a signal.
  ///
  /// May be called from any thread.
  var waker: @Sendable (_ signal: Int32) -> Void {
    let descriptor = wakeWrite
    return { try? descriptor.write([UInt8(truncatingIfNeeded: $0)]) }
  }
}
