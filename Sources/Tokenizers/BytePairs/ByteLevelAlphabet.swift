/// GPT-2's spelling of bytes: each of the 256 is one printable character below U+0144.
///
/// The bytes 33–126, 161–172 and 174–255 are themselves; the other 68, in ascending order, are
/// U+0100, U+0101, …
struct ByteLevelAlphabet {
  /// The byte of each code point; nil for a code point that spells none.
  private let bytes: [UInt8?]

  init() {
    var bytes = [UInt8?](repeating: nil, count: 0x144)
    var next = 0x100
    for byte in UInt8.min...UInt8.max {
      switch byte {
      case 33...126, 161...172, 174...255:
        bytes[Int(byte)] = byte
      default:
        bytes[next] = byte
        next += 1
      }
    }
    self.bytes = bytes
  }

  /// Appends what `spelling` stands for to `strings`, as one string: itself, if any of its
  /// characters is not in the alphabet.
  func appendBytes(of spelling: Span<UInt8>, to strings: inout ByteStrings) {
    if isSpelling(spelling) {
      var position = 0
      while position < spelling.count {
        guard let (byte, length) = byte(at: position, of: spelling) else { break }
        strings.extend(byte)
        position += length
      }
    } else {
      for position in 0..<spelling.count { strings.extend(spelling[position]) }
    }
    strings.finish()
  }

  private func isSpelling(_ text: Span<UInt8>) -> Bool {
    var position = 0
    while position < text.count {
      guard let (_, length) = byte(at: position, of: text) else { return false }
      position += length
    }
    return true
  }

  /// The byte that the character at `position` spells, and the character's length in UTF-8.
  private func byte(at position: Int, of text: Span<UInt8>) -> (UInt8, Int)? {
    let lead = text[position]
    if lead < 0x80 {
      return bytes[Int(lead)].map { ($0, 1) }
    }
    guard lead >= 0xC2, lead <= 0xC5, position + 1 < text.count else { return nil }
    let trail = text[position + 1]
    let scalar = Int(lead & 0x1F) << 6 | Int(trail & 0x3F)
    guard trail & 0xC0 == 0x80, scalar < bytes.count else { return nil }
    return bytes[scalar].map { ($0, 2) }
  }
}
