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
  ///
  /// - Throws: `ArgumentError.binaryInput`.
  func next() throws(ArgumentError) -> LineInput {
    var whole = ""
    while true {
      let input: LineInput
      switch self {
      case .terminal(let editor):
        input = editor.read(prompt: whole.isEmpty ? "> " : ". ")
      case .stream(let stream):
        input = try stream.next()
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
  /// Bytes of standard input before `bytes`.
  private var dropped = 0
  private var hasEnded = false

  /// The next line; `.end` after the last.
  ///
  /// - Throws: `ArgumentError.binaryInput`, with the place in all of standard input.
  func next() throws(ArgumentError) -> LineInput {
    while true {
      let rest = bytes[offset...]
      if let newline = rest.firstIndex(of: 0x0A) {
        defer { offset = newline + 1 }
        return .line(try text(rest[..<newline]))
      }
      if hasEnded {
        if rest.isEmpty { return .end }
        defer { offset = bytes.count }
        return .line(try text(rest))
      }
      dropped += offset
      bytes.removeSubrange(..<offset)
      offset = 0
      let chunk = (try? Descriptor.input.read(1 << 16)) ?? []
      hasEnded = chunk.isEmpty
      bytes += chunk
    }
  }

  private func text(_ bytes: ArraySlice<UInt8>) throws(ArgumentError) -> String {
    let start = dropped + bytes.startIndex
    if let zero = bytes.firstIndex(of: 0) {
      throw .binaryInput(.zeroByte(offset: dropped + zero))
    }
    guard let line = String(validating: bytes, as: UTF8.self) else {
      throw .binaryInput(
        .invalidUTF8(offset: start + StandardInput.firstInvalidByte(Array(bytes))))
    }
    return line.hasSuffix("\r") ? String(line.dropLast()) : line
  }
}
