/// Why text is no acceptable JSON, and where.
package struct JSONError: Error, Hashable, Sendable {
  /// The byte at which reading stopped.
  package let offset: Int
  package let reason: Reason

  package init(offset: Int, reason: Reason) {
    self.offset = offset
    self.reason = reason
  }

  package enum Reason: Hashable, Sendable {
    case unexpectedEnd
    case unexpected(UInt8)
    case badNumber
    case badEscape
    case controlCharacter
    case notUTF8
    case nestedTooDeeply(limit: Int)
    case duplicateKey(String)
    case trailingText
    case tooManyValues
  }
}

extension JSONError: CustomStringConvertible {
  package var description: String { "the JSON text \(problem) at byte \(offset)" }

  /// What is wrong, to follow the name of the text.
  package var problem: String {
    switch reason {
    case .unexpectedEnd: "ends too early"
    case .unexpected(let byte):
      byte > 0x20 && byte < 0x7F
        ? "has an unexpected \"\(Character(UnicodeScalar(byte)))\""
        : "has an unexpected byte \(byte)"
    case .badNumber: "has a malformed number"
    case .badEscape: "has a malformed escape sequence"
    case .controlCharacter: "has a raw control character in a string"
    case .notUTF8: "has a string that is not UTF-8"
    case .nestedTooDeeply(let limit): "is nested more than \(limit) deep"
    case .duplicateKey(let key): "has the key \"\(key.displayable(limit: 120))\" twice"
    case .trailingText: "has text after its end"
    case .tooManyValues: "has more values than any file of its kind"
    }
  }
}
