/// Takes control characters out of text from a model or a file before a terminal sees it: C0 except
/// newline and tab, DEL, and C1.
///
/// A terminal obeys no text without them.
enum ControlFilter {
  static func filtered(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: text.unicodeScalars.lazy.filter { !isControl($0) })
    return String(scalars)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0x00..<0x20, 0x7F..<0xA0: true
    default: false
    }
  }
}
