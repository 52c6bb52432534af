/// GPT-2's spelling of bytes: each of the 256 is one printable character below U+0144.
///
/// The bytes 33–126, 161–172 and 174–255 are themselves; the other 68, in ascending order, are
/// U+0100, U+0101, …
struct ByteLevelAlphabet {
  /// The byte that each code point spells.
  private let bytes: [UInt8]
  /// Whether it spells one.
  private let spells: [Bool]

  init() {
    var bytes = [UInt8](repeating: 0, count: 0x144)
    var spells = [Bool](repeating: false, count: bytes.count)
    var next = 0x100
    for byte in UInt8.min...UInt8.max {
      switch byte {
      case 33...126, 161...172, 174...255:
        bytes[Int(byte)] = byte
        spells[Int(byte)] = true
      default:
        bytes[next] = byte
        spells[next] = true
        next += 1
      }
    }
    self.bytes = bytes
    self.spells = spells
  }

  /// Appends what the spelling in `range` of `text` stands for to `strings`, as one string: the
  /// spelling itself, if any of its characters is not in the alphabet.
  func appendBytes(of text: Span<UInt8>, _ range: Range<Int>, to strings: inout ByteStrings) {
    var position = range.lowerBound
    while position < range.upperBound {
      let (byte, length) = byte(at: position, of: text, endingAt: range.upperBound)
      guard length > 0 else {
        strings.restart()
        for position in range { strings.extend(text[position]) }
        break
      }
      strings.extend(byte)
      position += length
    }
    strings.finish()
  }

  /// The byte that the character at `position` spells, and the character's length in UTF-8; a
  /// length of 0 if it spells none.
  private func byte(
    at position: Int, of text: Span<UInt8>, endingAt end: Int
  ) -> (byte: UInt8, length: Int) {
    let lead = text[position]
    if lead < 0x80 {
      return (lead, spells[Int(lead)] ? 1 : 0)
    }
    guard lead >= 0xC2, lead <= 0xC5, position + 1 < end else { return (0, 0) }
    let trail = text[position + 1]
    let scalar = Int(lead & 0x1F) << 6 | Int(trail & 0x3F)
    guard trail & 0xC0 == 0x80, scalar < bytes.count, spells[scalar] else { return (0, 0) }
    return (bytes[scalar], 2)
  }
}
