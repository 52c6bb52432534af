extension JSONCursor {
  /// The next value, which is an integer that fits.
  package mutating func readInteger() throws(JSONError) -> Int {
    _ = try peek()
    if let (value, end) = shortInteger {
      offset = end
      return value
    }
    let start = offset
    guard case .integer(let value) = try readScalar() else {
      throw JSONError(offset: start, reason: .badNumber)
    }
    return value
  }

  /// The number that is next and where it ends, if it is up to 18 digits and nothing else.
  var shortInteger: (value: Int, end: Int)? {
    let span = bytes.span
    var end = offset
    var value = 0
    while end < span.count, end - offset < 18 {
      let digit = span[end] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      value = 10 * value + Int(digit)
      end += 1
    }
    guard end > offset, end < span.count,
      span[offset] != UInt8(ascii: "0") || end == offset + 1
    else { return nil }
    switch span[end] {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "e"),
      UInt8(ascii: "E"):
      return nil
    default: return (value, end)
    }
  }

  mutating func readNumber() throws(JSONError) -> JSONValue {
    let start = offset
    let malformed = JSONError(offset: start, reason: .badNumber)
    if isNext(UInt8(ascii: "-")) { offset += 1 }
    let firstDigit = offset
    let digits = skipDigits()
    guard digits > 0, digits == 1 || bytes[firstDigit] != UInt8(ascii: "0") else {
      throw malformed
    }
    var isInteger = true
    if isNext(UInt8(ascii: ".")) {
      isInteger = false
      offset += 1
      guard skipDigits() > 0 else { throw malformed }
    }
    if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      offset += 1
      if isNext(UInt8(ascii: "+")) || isNext(UInt8(ascii: "-")) { offset += 1 }
      guard skipDigits() > 0 else { throw malformed }
    }
    if isInteger, let value = integer(start..<offset) { return value }
    guard let value = Double(String(decoding: bytes[start..<offset], as: UTF8.self)),
      value.isFinite
    else { throw malformed }
    return .number(value)
  }

  private mutating func skipDigits() -> Int {
    let start = offset
    while offset < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[offset]) {
      offset += 1
    }
    return offset - start
  }

  private func integer(_ range: Range<Int>) -> JSONValue? {
    let isNegative = bytes[range.lowerBound] == UInt8(ascii: "-")
    var magnitude: UInt64 = 0
    for index in isNegative ? range.dropFirst() : range {
      let (tens, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(UInt64(bytes[index] - 0x30))
      guard !overflow, !carry else { return nil }
      magnitude = sum
    }
    if !isNegative { return .unsigned(magnitude) }
    // The least Int has no positive counterpart.
    guard magnitude <= Int.min.magnitude else { return nil }
    return .integer(Int(truncatingIfNeeded: 0 &- magnitude))
  }
}
