import Glibc

/// Where the lines of a chat come from.
enum ChatInput {
  case terminal(LineEditor)
  case stream(LineStream)

  /// Puts text into the next line, to be changed before it is sent.
  func prepare(_ text: String) {
    if case .terminal(let editor) = self { editor.prepare(text) }
  }

  /// The next message or command: a line, and those after it while it ends with a backslash.
  func next() -> LineInput {
    var whole = ""
    while true {
      let input: LineInput
      switch self {
      case .terminal(let editor):
        input = editor.read(prompt: whole.isEmpty ? "> " : ". ")
      case .stream(let stream):
        input = stream.next()
      }
      switch input {
      case .line(let line) where line.hasSuffix("\\"):
        whole += line.dropLast() + "\n"
      case .line(let line):
        return .line(whole + line)
      case .end where !whole.isEmpty:
        return .line(String(whole.dropLast()))
      case .interrupted where !whole.isEmpty:
        return .interrupted(hadText: true)
      default:
        return input
      }
    }
  }
}

/// Lines of a standard input that is no terminal.
final class LineStream {
  private var bytes: [UInt8] = []
  private var offset = 0
  private var hasEnded = false

  /// The next line, with U+FFFD for what is not UTF-8; `.end` after the last.
  func next() -> LineInput {
    while true {
      let rest = bytes[offset...]
      if let newline = rest.firstIndex(of: 0x0A) {
        defer { offset = newline + 1 }
        return .line(Self.text(rest[..<newline]))
      }
      if hasEnded {
        if rest.isEmpty { return .end }
        defer { offset = bytes.count }
        return .line(Self.text(rest))
      }
      bytes.removeSubrange(..<offset)
      offset = 0
      let chunk = (try? Descriptor.input.read(1 << 16)) ?? []
      hasEnded = chunk.isEmpty
      bytes += chunk
    }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    let line = String(decoding: bytes, as: UTF8.self)
    return line.hasSuffix("\r") ? String(line.dropLast()) : line
  }
}
