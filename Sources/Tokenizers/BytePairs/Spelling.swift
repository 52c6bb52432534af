/// How a file spells the bytes that a piece stands for.
enum Spelling: Sendable {
  /// With a printable character for every byte.
  case byteLevel(ByteLevelAlphabet)
  /// As text with U+2581 for the space.
  case spaceSymbol

  /// Appends what the spelling in `range` of `text` stands for, which is no longer than it.
  func appendBytes(of text: Span<UInt8>, _ range: Range<Int>, to bytes: inout OutputSpan<UInt8>) {
    switch self {
    case .byteLevel(let alphabet):
      alphabet.appendBytes(of: text, range, to: &bytes)
    case .spaceSymbol:
      var position = range.lowerBound
      while position < range.upperBound {
        if Self.isSpaceSymbol(text, at: position, endingAt: range.upperBound) {
          bytes.append(0x20)
          position += 3
        } else {
          bytes.append(text[position])
          position += 1
        }
      }
    }
  }

  /// Whether U+2581 is at `position`.
  static func isSpaceSymbol(_ text: Span<UInt8>, at position: Int, endingAt end: Int) -> Bool {
    text[position] == 0xE2 && position + 2 < end && text[position + 1] == 0x96
      && text[position + 2] == 0x81
  }
}
