import CEdit
import Glibc
import Synchronization

extension LineEditor {
  /// The wide functions need a UTF-8 locale; without one every character beyond ASCII breaks.
  static func setLocale() {
    _ = unsafe setlocale(LC_CTYPE, "")
    let codeset = unsafe String(cString: nl_langinfo(nl_item(CODESET)))
    if codeset.uppercased() != "UTF-8" { _ = unsafe setlocale(LC_CTYPE, "C.UTF-8") }
  }

  func setUp() {
    _ = unsafe pipit_edit_set_data(edit, Unmanaged.passUnretained(self).toOpaque())
    _ = unsafe pipit_edit_set_editor(edit, WideText.wide("emacs"))
    _ = unsafe pipit_edit_set_reader(edit, readCharacter)
    _ = unsafe pipit_edit_set_prompt(edit, currentPrompt, 1)
    _ = unsafe pipit_history_set_size(history, 1000)
    _ = unsafe pipit_history_set_unique(history, 1)
    _ = unsafe pipit_edit_set_history(edit, history)
    // Ctrl-C comes as a character while editing, and as a signal otherwise.
    _ = unsafe pipit_edit_set_terminal_mode(edit, WideText.wide("-d"), WideText.wide("-isig"))
    // Between two lines nothing is echoed either: it would land in the reply that begins.
    _ = unsafe pipit_edit_set_terminal_mode(edit, WideText.wide("-x"), WideText.wide("-echo"))
    unsafe add("pipit-interrupt", "Give the line up", interruptLine)
    unsafe add("pipit-suspend", "Suspend Pipit", suspend)
    unsafe add("pipit-paste", "Insert pasted text", insertPaste)
    unsafe add("pipit-newline", "Insert a newline", insertNewline)
    unsafe add("pipit-search", "Search what was typed before", searchBackwards)
    unsafe add("pipit-complete", "Complete the word", completeAtCursor)
    unsafe add("pipit-editor", "Edit in $EDITOR", openEditor)
    for (key, function) in Self.bindings {
      _ = unsafe pipit_edit_bind(edit, WideText.wide(key), WideText.wide(function))
    }
  }

  private static let bindings = [
    ("^C", "pipit-interrupt"), ("^Z", "pipit-suspend"), ("\\e[200~", "pipit-paste"),
    ("\\e^M", "pipit-newline"), ("\\e^J", "pipit-newline"), ("^R", "pipit-search"),
    ("^I", "pipit-complete"), ("^G", "pipit-editor"),
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

  func setPrompt(_ text: String) {
    promptText = text
    // libedit leaves out of its reckoning what stands between two of these.
    let mark = "\u{1}"
    // The mark's own look ends before its space: libedit draws a sequence with what follows it.
    let sign = text.prefix { $0 != " " }
    let shown =
      style.hasColor
      ? "\(mark)\u{1B}[1m\(mark)\(sign)\(mark)\u{1B}[0m\(mark)\(text.dropFirst(sign.count))" : text
    let wide = WideText.wide(shown)
    unsafe prompt.deallocate()
    unsafe prompt = .allocate(capacity: wide.count)
    _ = unsafe prompt.initialize(from: wide)
  }

  func setBracketedPaste(_ isOn: Bool) {
    guard Style.terminalHasEscapes,
      TerminalGuard.marksPastes.exchange(isOn, ordering: .relaxed) != isOn
    else { return }
    try? Descriptor.output.write(isOn ? "\u{1B}[?2004h" : "\u{1B}[?2004l")
  }
}

private func currentPrompt(_ edit: OpaquePointer?) -> UnsafeMutablePointer<wchar_t>? {
  unsafe LineEditor.of(edit)?.prompt.baseAddress
}

private func readCharacter(
  _ edit: OpaquePointer?, _ result: UnsafeMutablePointer<wchar_t>?
) -> Int32 {
  guard let editor = unsafe LineEditor.of(edit), let scalar = editor.nextScalar() else { return 0 }
  unsafe result?.pointee = wchar_t(bitPattern: scalar.value)
  return 1
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

private func searchBackwards(_ edit: OpaquePointer?, _ key: wint_t) -> UInt8 {
  unsafe LineEditor.of(edit)?.searchHistory()
  return UInt8(CC_NORM)
}

private func completeAtCursor(_ edit: OpaquePointer?, _ key: wint_t) -> UInt8 {
  unsafe LineEditor.of(edit)?.completeWord()
  return UInt8(CC_REFRESH)
}

private func openEditor(_ edit: OpaquePointer?, _ key: wint_t) -> UInt8 {
  unsafe LineEditor.of(edit)?.editExternally()
  return UInt8(CC_NORM)
}

private func insertNewline(_ edit: OpaquePointer?, _ key: wint_t) -> UInt8 {
  unsafe LineEditor.of(edit)?.insert("\n")
  return UInt8(CC_REFRESH)
}
