import Weights

/// What a file's contents are to be, or are.
package enum DigestValue: Sendable, Hashable {
  /// 64 lower-case hexadecimal digits.
  case sha256(String)
  /// The name that git gives a file: SHA-1 of a short header and the contents, as 40 digits.
  case gitBlob(String)

  /// Whether a text is a SHA-256 in lower-case hexadecimal digits.
  package static func isSHA256(_ text: String) -> Bool { isHexadecimal(text, count: 64) }

  static func isHexadecimal(_ text: String, count: Int) -> Bool {
    text.utf8.count == count
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }

  package var text: String {
    switch self {
    case .sha256(let digits): digits
    case .gitBlob(let digits): digits
    }
  }
}
