/// How text may look on one stream.
struct Style: Sendable {
  /// Whether escape codes are understood and wanted.
  let hasColor: Bool

  func dim(_ text: String) -> String { wrapped(text, "2") }
  func bold(_ text: String) -> String { wrapped(text, "1") }
  func red(_ text: String) -> String { wrapped(text, "31") }

  private func wrapped(_ text: String, _ code: String) -> String {
    hasColor && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  /// What opens and closes dim text that comes in pieces.
  var dimStart: String { hasColor ? "\u{1B}[2m" : "" }
  var dimEnd: String { hasColor ? "\u{1B}[0m" : "" }
}

extension Style {
  /// `--color`, else `NO_COLOR` and `TERM`, else whether the stream is a terminal.
  init(_ choice: ColorChoice, for descriptor: Descriptor) {
    switch choice {
    case .always: hasColor = true
    case .never: hasColor = false
    case .automatic:
      let isPlain = !(environment("NO_COLOR") ?? "").isEmpty || !Self.terminalHasEscapes
      hasColor = descriptor.isTerminal && !isPlain
    }
  }

  /// Whether the terminal, if there is one, moves its cursor when told to.
  static var terminalHasEscapes: Bool {
    !["dumb", ""].contains(environment("TERM") ?? "")
  }
}
