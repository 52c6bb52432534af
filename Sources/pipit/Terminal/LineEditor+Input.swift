import CEdit
import Glibc
import Markdown

/// What libedit asks for while a line is edited.
extension LineEditor {
  /// The next scalar; nil at the end of input.
  func nextScalar() -> Unicode.Scalar? {
    while true {
      if let scalar = decoder.next() { return scalar }
      settleWideText()
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

  /// Draws the line anew after a change before the cursor's end of a text with wide characters:
  /// libedit then shifts what is on the screen by a column for each, and half of a row is lost.
  private func settleWideText() {
    let (whole, before) = currentText
    guard whole != settledText else { return }
    settledText = whole
    guard before != whole, Style.terminalHasEscapes,
      whole.unicodeScalars.contains(where: { $0 != "\n" && TextWidth.columns($0) != 1 })
    else { return }
    clearLine()
    drawAnew()
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

  func interrupt() {
    let line = unsafe el_wline(edit)
    discardedText =
      unsafe line.map { unsafe $0.pointee.lastchar > $0.pointee.buffer } ?? false
    wasInterrupted = true
    try? Descriptor.output.write("^C\n")
  }

  func suspendProcess() {
    _ = unsafe pipit_edit_prepare_terminal(edit, 0)
    setBracketedPaste(false)
    try? Descriptor.output.write("\n")
    hasResumed = true
    // Threads of the pool block signals, so the stop takes hold on another one: this one waits for
    // it, and for the SIGCONT after it.
    kill(getpid(), SIGTSTP)
    _ = wakeRead.isReadable(within: 300)
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
  func clearLine() {
    guard Style.terminalHasEscapes, let line = unsafe el_wline(edit)?.pointee,
      let start = unsafe line.buffer, let cursor = unsafe line.cursor
    else { return }
    let before = unsafe UnsafeBufferPointer(start: start, count: cursor - start)
    let columns = max(Descriptor.output.columns, 1)
    let rows = unsafe TextWidth.rows(promptText + WideText.text(before), columns: columns)
    try? Descriptor.output.write("\r" + (rows > 0 ? "\u{1B}[\(rows)A" : "") + "\u{1B}[J")
  }

  /// Takes the characters up to the end of a paste into the line, as one text.
  func takePaste() {
    let end = Array("\u{1B}[201~".unicodeScalars)
    var scalars: [Unicode.Scalar] = []
    // Ctrl-C gets out of a paste whose end never comes.
    while let scalar = nextScalar(), scalar != "\u{3}" {
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

  func insert(_ text: String) {
    if text.isEmpty { return }
    _ = unsafe el_winsertstr(edit, WideText.wide(text))
  }
}
