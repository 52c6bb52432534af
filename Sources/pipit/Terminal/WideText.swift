import CEdit

/// Text as the wide strings of libedit.
enum WideText {
  /// With a zero at the end.
  static func wide(_ text: String) -> [wchar_t] {
    text.unicodeScalars.map { wchar_t(bitPattern: $0.value) } + [0]
  }

  /// Up to the zero or the end; what is no scalar becomes U+FFFD.
  static func text(_ wide: some Sequence<wchar_t>) -> String {
    var scalars = String.UnicodeScalarView()
    for unit in wide {
      if unit == 0 { break }
      scalars.append(Unicode.Scalar(UInt32(bitPattern: unit)) ?? "\u{FFFD}")
    }
    return String(scalars)
  }
}

/// Bytes from a terminal into scalars, an incomplete one held back.
struct ScalarDecoder {
  private var bytes: [UInt8] = []
  /// The first byte that is not decoded yet.
  private var start = 0

  mutating func append(_ new: [UInt8]) {
    bytes.removeSubrange(..<start)
    start = 0
    bytes += new
  }

  /// Whether there are bytes that have not been decoded.
  var hasInput: Bool { start < bytes.count }

  /// Makes a scalar the next one again.
  mutating func pushBack(_ scalar: Unicode.Scalar) {
    bytes.replaceSubrange(..<start, with: Array(String(Character(scalar)).utf8))
    start = 0
  }

  /// The next whole scalar; U+FFFD for bytes that begin none.
  mutating func next() -> Unicode.Scalar? {
    let rest = bytes[start...]
    guard let first = rest.first else { return nil }
    let length =
      switch first {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    let present = rest.dropFirst().prefix(length - 1).prefix { $0 & 0xC0 == 0x80 }.count + 1
    if present < length, present == rest.count { return nil }
    start += present
    return String(validating: rest.prefix(present), as: UTF8.self)?.unicodeScalars.first
      ?? "\u{FFFD}"
  }
}
