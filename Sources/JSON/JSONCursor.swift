/// Reads JSON from front to back: RFC 8259 and nothing else, apart from a byte order mark at the
/// start.
///
/// What is large is read piece by piece into the caller's own form, what is small as a
/// `JSONValue`. Nesting is bounded, and every error has the byte at which it was found.
package struct JSONCursor: Sendable {
  /// How deep arrays and objects may nest in a `JSONValue`.
  package static let depthLimit = 128

  package let bytes: [UInt8]
  let form: JSONForm
  /// The byte that is read next.
  package internal(set) var offset = 0
  var depth = 0
  let depthLimit: Int
  /// How many values are still allowed in trees, which take more room than their text.
  var valuesLeft: Int

  package init(
    _ bytes: [UInt8], form: JSONForm = .strict, depthLimit: Int = Self.depthLimit,
    valueLimit: Int = .max
  ) {
    self.bytes = bytes
    self.form = form
    self.depthLimit = depthLimit
    valuesLeft = valueLimit
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  /// Bytes that were not read yet.
  package var remaining: Int { bytes.count - offset }

  func error(_ reason: JSONError.Reason) -> JSONError { JSONError(offset: offset, reason: reason) }

  /// The error for what stands here.
  func unexpected() -> JSONError {
    offset < bytes.count ? error(.unexpected(bytes[offset])) : error(.unexpectedEnd)
  }

  func isNext(_ byte: UInt8) -> Bool { offset < bytes.count && bytes[offset] == byte }

  @inline(__always)
  private mutating func skipSpace() {
    // Mostly there is none.
    if offset < bytes.count, bytes[offset] > 0x20 { return }
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x0A, 0x0D, 0x09: offset += 1
      default: return
      }
    }
  }

  /// The next byte that is not white space, which stays.
  package mutating func peek() throws(JSONError) -> UInt8 {
    skipSpace()
    guard offset < bytes.count else { throw error(.unexpectedEnd) }
    return bytes[offset]
  }

  /// Takes `byte` if it is next.
  package mutating func take(_ byte: UInt8) throws(JSONError) -> Bool {
    guard try peek() == byte else { return false }
    offset += 1
    return true
  }

  package mutating func expect(_ byte: UInt8) throws(JSONError) {
    guard try take(byte) else { throw unexpected() }
  }

  /// Nothing but white space is left.
  package mutating func expectEnd() throws(JSONError) {
    skipSpace()
    guard offset == bytes.count else { throw error(.trailingText) }
  }

  /// Calls `body` with each key, to read the value.
  package mutating func readObject(
    _ body: (inout JSONCursor, String) throws -> Void
  ) throws {
    try expect(UInt8(ascii: "{"))
    if try take(UInt8(ascii: "}")) { return }
    repeat {
      let key = try readString()
      try expect(UInt8(ascii: ":"))
      try body(&self, key)
    } while try take(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"))
  }

  /// Calls `body` to read each element.
  package mutating func readArray(_ body: (inout JSONCursor) throws -> Void) throws {
    try expect(UInt8(ascii: "["))
    if try take(UInt8(ascii: "]")) { return }
    repeat { try body(&self) } while try take(UInt8(ascii: ","))
    try expect(UInt8(ascii: "]"))
  }

  /// Passes over a value of any size, of which only the brackets and the strings' ends are read.
  package mutating func skipValue() throws(JSONError) {
    var open = 0
    repeat {
      switch try peek() {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open += 1
        offset += 1
      case UInt8(ascii: "}") where open > 0, UInt8(ascii: "]") where open > 0:
        open -= 1
        offset += 1
      case UInt8(ascii: ",") where open > 0, UInt8(ascii: ":") where open > 0: offset += 1
      case UInt8(ascii: "\""): try skipString()
      default:
        if let (_, end) = shortInteger { offset = end } else { _ = try readScalar() }
      }
    } while open > 0
  }
}
