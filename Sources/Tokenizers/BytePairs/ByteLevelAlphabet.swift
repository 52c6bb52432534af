import JSON

/// GPT-2's spelling of bytes: each of the 256 is one printable character below U+0144.
///
/// The bytes 33–126, 161–172 and 174–255 are themselves; the other 68, in ascending order, are
/// U+0100, U+0101, …
struct ByteLevelAlphabet: Sendable {
  /// The byte that each code point spells; −1 for one that spells none.
  private let bytes: [Int16]

  init() {
    var bytes = [Int16](repeating: -1, count: 0x144)
    var next = 0x100
    for byte in UInt8.min...UInt8.max {
      switch byte {
      case 33...126, 161...172, 174...255:
        bytes[Int(byte)] = Int16(byte)
      default:
        bytes[next] = Int16(byte)
        next += 1
      }
    }
    self.bytes = bytes
  }

  /// Appends what the spelling in `range` of `text` stands for: the spelling itself, if any of its
  /// characters is not in the alphabet.
  func appendBytes(of text: Span<UInt8>, _ range: Range<Int>, to bytes: inout OutputSpan<UInt8>) {
    let start = bytes.count
    var position = range.lowerBound
    while position < range.upperBound {
      if text[position] < 0x80 {
        let room = min(8, range.upperBound - position)
        let word = text.word(at: position, room)
        let length = min(Self.plainLength(of: word), room)
        if length > 0 {
          bytes.append(word, length)
          position += length
          continue
        }
      }
      let (byte, length) = byte(at: position, of: text, endingAt: range.upperBound)
      guard length > 0 else {
        bytes.removeLast(bytes.count - start)
        bytes.append(range, of: text)
        return
      }
      bytes.append(byte)
      position += length
    }
  }

  /// How many bytes of a word come before the first that is not of 33…126, which spell themselves.
  @inline(__always)
  private static func plainLength(of word: UInt64) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    // The highest bit of a byte tells, without carrying into the next, of more than 126 and of 33 or more.
    let low = word & (ones * 0x7F)
    let isAbove = word | (low &+ ones)
    let isVisible = low &+ (ones * (0x80 - 33))
    return ((isAbove | ~isVisible) & (ones * 0x80)).trailingZeroBitCount / 8
  }

  /// The byte that the character at `position` spells, and the character's length in UTF-8; a
  /// length of 0 if it spells none.
  @inline(__always)
  private func byte(
    at position: Int, of text: Span<UInt8>, endingAt end: Int
  ) -> (byte: UInt8, length: Int) {
    let lead = text[position]
    // Nearly all are these.
    if 33...126 ~= lead { return (lead, 1) }
    guard lead >= 0xC2, lead <= 0xC5, position + 1 < end else { return (0, 0) }
    let trail = text[position + 1]
    let scalar = Int(lead & 0x1F) << 6 | Int(trail & 0x3F)
    guard trail & 0xC0 == 0x80, scalar < bytes.count, bytes[scalar] >= 0 else { return (0, 0) }
    return (UInt8(truncatingIfNeeded: bytes[scalar]), 2)
  }
}
