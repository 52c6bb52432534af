/// How a piece of text is to look; a terminal without styles shows it plain.
package struct TextStyle: OptionSet, Sendable, Hashable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  package static let bold = TextStyle(rawValue: 1 << 0)
  package static let dim = TextStyle(rawValue: 1 << 1)
  package static let italic = TextStyle(rawValue: 1 << 2)
  package static let underline = TextStyle(rawValue: 1 << 3)
  package static let strike = TextStyle(rawValue: 1 << 4)
  package static let heading = TextStyle(rawValue: 1 << 5)
  package static let code = TextStyle(rawValue: 1 << 6)
  package static let keyword = TextStyle(rawValue: 1 << 7)
  package static let string = TextStyle(rawValue: 1 << 8)
  package static let comment = TextStyle(rawValue: 1 << 9)
  package static let number = TextStyle(rawValue: 1 << 10)
  /// A figure to take note of, and one that is at its limit.
  package static let caution = TextStyle(rawValue: 1 << 11)
  package static let alarm = TextStyle(rawValue: 1 << 12)

  /// The parameters of the escape sequence that turns it on; nil for plain text.
  ///
  /// Only the terminal's own sixteen colours, so that its theme decides how they look.
  package var escapeParameters: String? {
    var codes: [String] = []
    if contains(.bold) || contains(.heading) { codes.append("1") }
    if contains(.dim) || contains(.comment) { codes.append("2") }
    if contains(.italic) { codes.append("3") }
    if contains(.underline) { codes.append("4") }
    if contains(.strike) { codes.append("9") }
    if let color { codes.append(color) }
    return codes.isEmpty ? nil : codes.joined(separator: ";")
  }

  private var color: String? {
    switch self {
    case _ where contains(.alarm): "31"
    case _ where contains(.caution): "33"
    case _ where contains(.keyword): "35"
    case _ where contains(.string): "32"
    case _ where contains(.number): "33"
    case _ where contains(.code), _ where contains(.heading): "36"
    default: nil
    }
  }
}
