/// Makes text of bytes that need not be UTF-8: each longest beginning of a character that does
/// not go on as one becomes U+FFFD, as in Python's `errors="replace"`.
enum UTF8Repair {
  enum Sequence: Hashable {
    /// A character of this many bytes.
    case valid(Int)
    /// This many bytes that become one U+FFFD.
    case invalid(Int)
    /// The bytes end inside what may still become a character.
    case unfinished
  }

  /// What starts at `position` (Unicode Standard, table 3-7).
  static func sequence(in bytes: Span<UInt8>, at position: Int) -> Sequence {
    let lead = bytes[position]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0x00...0x7F: return .valid(1)
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if lead == 0xE0 { second = 0xA0...0xBF }
      if lead == 0xED { second = 0x80...0x9F }
    case 0xF0...0xF4:
      length = 4
      if lead == 0xF0 { second = 0x90...0xBF }
      if lead == 0xF4 { second = 0x80...0x8F }
    default: return .invalid(1)
    }
    for offset in 1..<length {
      guard position + offset < bytes.count else { return .unfinished }
      let allowed = offset == 1 ? second : 0x80...0xBF
      guard allowed.contains(bytes[position + offset]) else { return .invalid(offset) }
    }
    return .valid(length)
  }

  /// The text of `bytes`, and how many of them it took: all, unless they end inside a character.
  ///
  /// Short text allocates nothing, unless it has to be repaired.
  static func text(of bytes: Span<UInt8>) -> (text: String, count: Int) {
    let sound = bytes.extracting(0..<validCount(bytes))
    if sound.count == bytes.count || sequence(in: bytes, at: sound.count) == .unfinished,
      let text = try? UTF8Span(validating: sound)
    {
      return (String(copying: text), sound.count)
    }
    var repaired: [UInt8] = []
    repaired.reserveCapacity(bytes.count)
    var position = 0
    scan: while position < bytes.count {
      switch sequence(in: bytes, at: position) {
      case .valid(let length):
        for offset in 0..<length { repaired.append(bytes[position + offset]) }
        position += length
      case .invalid(let length):
        repaired.append(contentsOf: replacement)
        position += length
      case .unfinished:
        break scan
      }
    }
    return (String(decoding: repaired, as: UTF8.self), position)
  }

  /// A run of byte tokens: itself if it is text, else a U+FFFD for each byte, as in Hugging
  /// Face's byte fallback.
  static func run(_ bytes: [UInt8]) -> [UInt8] {
    isValid(bytes.span) ? bytes : bytes.flatMap { _ in replacement }
  }

  static func isValid(_ bytes: Span<UInt8>) -> Bool { validCount(bytes) == bytes.count }

  /// Bytes at the beginning that are whole characters.
  private static func validCount(_ bytes: Span<UInt8>) -> Int {
    var position = 0
    while position < bytes.count, case .valid(let length) = sequence(in: bytes, at: position) {
      position += length
    }
    return position
  }

  /// U+FFFD.
  static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]
}
