import Markdown
import Synchronization

/// The two streams of the process: the answer goes to one and everything else to the other.
final class Console: Sendable {
  let outputIsTerminal: Bool
  let errorsAreTerminal: Bool
  let outputStyle: Style
  let errorStyle: Style
  /// `--quiet`: nothing but errors on standard error.
  let isQuiet: Bool
  /// Whether lines on standard error may be drawn over.
  let hasMeters: Bool
  /// What the meter occupies now; it is cleared before anything else is written.
  private let meter = Mutex("")

  init(color: ColorChoice, isQuiet: Bool) {
    outputIsTerminal = Descriptor.output.isTerminal
    errorsAreTerminal = Descriptor.errors.isTerminal
    outputStyle = Style(color, for: .output)
    errorStyle = Style(color, for: .errors)
    self.isQuiet = isQuiet
    hasMeters = errorsAreTerminal && !isQuiet && Style.terminalHasEscapes
  }

  /// Writes what a command is asked for to standard output, as it is where that is no terminal: a
  /// model's text, JSON, a path.
  func write(_ text: String) throws(SystemError) {
    if text.isEmpty { return }
    clearMeter()
    try Descriptor.output.write(outputIsTerminal ? ControlFilter.filtered(text) : text)
  }

  /// Writes the program's own words to standard output, which may tell of files and models: without
  /// control characters, wherever they go.
  func writeWords(_ text: String) throws(SystemError) {
    try write(ControlFilter.filtered(text))
  }

  /// Writes the program's own text, which may carry escape codes, to standard output.
  func writeStyled(_ text: String) throws(SystemError) {
    clearMeter()
    try Descriptor.output.write(text)
  }

  /// Text of the model on standard error, such as its thoughts.
  func writeAside(_ text: String) {
    clearMeter()
    let shown = errorsAreTerminal ? ControlFilter.filtered(text) : text
    try? Descriptor.errors.write(errorStyle.dimStart + shown + errorStyle.dimEnd)
  }

  /// A line for the reader on standard error, unless `--quiet`.
  func note(_ text: String) {
    if isQuiet { return }
    clearMeter()
    try? Descriptor.errors.write(errorStyle.dim(fitted(text)) + "\n")
  }

  /// What a command of the chat shows, on standard error too; on a terminal a text of one line is
  /// broken between words.
  func say(_ text: String) {
    clearMeter()
    let shown = text.contains("\n") ? ControlFilter.filtered(text) : fitted(text)
    try? Descriptor.errors.write(shown + "\n")
  }

  /// Columns for text on standard error.
  var textWidth: Int { errorsAreTerminal ? max(Descriptor.errors.columns - 1, 10) : 96 }

  /// Rows that a command of the chat shows; on a terminal each is cut to its width.
  func show(_ lines: [StyledLine]) {
    clearMeter()
    let columns = errorsAreTerminal ? textWidth : Int.max
    var text = ""
    for line in lines {
      text += line.truncated(to: columns).rendered(hasStyles: errorStyle.hasColor) + "\n"
    }
    try? Descriptor.errors.write(text)
  }

  /// A line that says what went wrong; `--quiet` does not hide it.
  func complain(_ sentence: String) {
    clearMeter()
    let label = errorStyle.red("pipit:")
    // The label takes the place of the first word while lines are broken.
    let text = fitted("pipit: " + sentence).dropFirst("pipit: ".count)
    try? Descriptor.errors.write("\(label) \(text)\n")
  }

  /// Without control characters, and on a terminal broken between words at its width.
  private func fitted(_ text: String) -> String {
    let text = ControlFilter.filtered(text)
    guard errorsAreTerminal else { return text }
    let width = max(Descriptor.errors.columns, 20)
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .flatMap { $0.isEmpty ? [""] : HelpText.wrap(String($0), width: width) }
      .joined(separator: "\n")
  }

  /// The beginning of a line that the reader ends; `--quiet` does not hide it.
  func ask(_ question: String) {
    clearMeter()
    try? Descriptor.errors.write(question)
  }

  /// A line after a complaint that says where to read on.
  func hint(_ sentence: String) {
    try? Descriptor.errors.write(errorStyle.dim(sentence) + "\n")
  }

  /// Shows a line that the next one replaces; nothing off a terminal.
  func showMeter(_ text: String) {
    guard hasMeters else { return }
    let line = String(ControlFilter.filtered(text).prefix(max(Descriptor.errors.columns - 1, 10)))
    meter.withLock { shown in
      if shown == line { return }
      shown = line
      try? Descriptor.errors.write("\r\u{1B}[K" + errorStyle.dim(line))
    }
  }

  func clearMeter() {
    meter.withLock { shown in
      if shown.isEmpty { return }
      shown = ""
      try? Descriptor.errors.write("\r\u{1B}[K")
    }
  }
}
