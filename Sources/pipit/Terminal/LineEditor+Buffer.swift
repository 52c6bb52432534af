import CEdit
import Glibc

/// The text of the line that is edited.
extension LineEditor {
  /// All of it, and the part before the cursor.
  var currentText: (whole: String, beforeCursor: String) {
    guard let line = unsafe el_wline(edit)?.pointee, let start = unsafe line.buffer,
      let cursor = unsafe line.cursor, let end = unsafe line.lastchar
    else { return ("", "") }
    let whole = unsafe UnsafeBufferPointer(start: start, count: end - start)
    let before = unsafe UnsafeBufferPointer(start: start, count: cursor - start)
    return unsafe (WideText.text(whole), WideText.text(before))
  }

  func replaceText(_ text: String) {
    _ = unsafe el_cursor(edit, Int32(Int16.max))
    let count = currentText.whole.unicodeScalars.count
    if count > 0 { unsafe el_deletestr(edit, Int32(clamping: count)) }
    insert(text)
  }

  /// Puts text at the beginning of the next line that is read, as if it were pasted.
  func prepare(_ text: String) {
    if text.isEmpty { return }
    decoder.append(Array("\u{1B}[200~".utf8) + Array(text.utf8) + Array("\u{1B}[201~".utf8))
  }

  /// Adds what was typed while nobody read.
  func takeTypedAhead(_ bytes: [UInt8]) {
    decoder.append(bytes)
  }

  /// Draws prompt and line on the row where the cursor is, which is taken to be empty.
  func drawAnew() {
    try? Descriptor.output.write("\r")
    _ = unsafe pipit_edit_refresh(edit)
  }
}
