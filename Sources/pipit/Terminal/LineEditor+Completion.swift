import CEdit
import Markdown

/// What may stand at the cursor.
struct Completion: Sendable, Equatable {
  /// How many scalars before the cursor the candidates replace.
  var replaced: Int
  var candidates: [String]

  /// What all candidates begin with.
  var commonBeginning: String {
    guard var common = candidates.first else { return "" }
    for candidate in candidates.dropFirst() {
      common = String(zip(common, candidate).prefix { $0 == $1 }.map(\.0))
    }
    return common
  }
}

/// Tab.
extension LineEditor {
  func completeWord() {
    guard let completion = completer?(currentText.beforeCursor), !completion.candidates.isEmpty
    else { return unsafe el_beep(edit) }
    let common = completion.commonBeginning
    let isOnly = completion.candidates.count == 1
    let typed = String(currentText.beforeCursor.unicodeScalars.suffix(completion.replaced))
    let ending = isOnly && !common.hasSuffix("/") ? " " : ""
    if common + ending != typed, common.unicodeScalars.count >= typed.unicodeScalars.count {
      if completion.replaced > 0 { unsafe el_deletestr(edit, Int32(completion.replaced)) }
      return insert(common + ending)
    }
    list(completion.candidates)
  }

  private func list(_ candidates: [String]) {
    clearLine()
    let columns = max(Descriptor.output.columns - 1, 10)
    let shown = candidates.prefix(60).map { ControlFilter.filtered($0) }
    let cell = min((shown.map { TextWidth.columns($0) }.max() ?? 0) + 2, columns)
    let perRow = max(columns / cell, 1)
    var text = ""
    for (index, candidate) in shown.enumerated() {
      let padding = String(repeating: " ", count: max(0, cell - TextWidth.columns(candidate)))
      text += candidate + ((index + 1) % perRow == 0 ? "\r\n" : padding)
    }
    if shown.count % perRow != 0 { text += "\r\n" }
    if candidates.count > shown.count { text += "… and \(candidates.count - shown.count) more\r\n" }
    try? Descriptor.output.write(style.dim(text))
    drawAnew()
  }
}
