extension Lexer {
  mutating func readNumber() throws(TemplateError) {
    let place = location
    let start = position
    let afterDot = start > 0 && source[start - 1] == "."
    if peek() == "0", let marker = peek(1), let radix = Self.radix(of: marker) {
      advance(2)
      let digits = readDigits { $0.isHexDigit }
      guard let value = Int(digits, radix: radix) else {
        throw malformed("'\(text(start..<position))' is no integer of 64 bits", at: place)
      }
      append(.integer(value), at: place)
      return
    }
    var digits = readDigits(\.isDecimalDigit)
    var isFloat = false
    if !afterDot, peek() == ".", let next = peek(1), next.isDecimalDigit {
      isFloat = true
      advance()
      digits += "." + readDigits(\.isDecimalDigit)
    }
    if !afterDot, peek() == "e" || peek() == "E" {
      let signed = peek(1) == "+" || peek(1) == "-"
      if let first = peek(signed ? 2 : 1), first.isDecimalDigit {
        isFloat = true
        digits += "e" + (peek(1) == "-" ? "-" : "")
        advance(signed ? 2 : 1)
        digits += readDigits(\.isDecimalDigit)
      }
    }
    if isFloat, let value = Double(digits) {
      append(.float(value), at: place)
    } else if let value = Int(digits) {
      append(.integer(value), at: place)
    } else {
      throw malformed("'\(text(start..<position))' is no integer of 64 bits", at: place)
    }
  }

  private static func radix(of marker: Unicode.Scalar) -> Int? {
    switch marker {
    case "x", "X": 16
    case "o", "O": 8
    case "b", "B": 2
    default: nil
    }
  }

  /// Digits without the underscores between them.
  private mutating func readDigits(_ belongs: (Unicode.Scalar) -> Bool) -> String {
    var digits = ""
    while let next = peek() {
      if belongs(next) {
        digits.unicodeScalars.append(next)
      } else if next != "_" || !(peek(1).map(belongs) ?? false) {
        break
      }
      advance()
    }
    return digits
  }

  mutating func readString(quote: Unicode.Scalar) throws(TemplateError) {
    let place = location
    advance()
    var value = String.UnicodeScalarView()
    while let next = peek() {
      if next == quote {
        advance()
        append(.string(String(value)), at: place)
        return
      }
      if next == "\\" {
        try readEscape(into: &value)
      } else {
        value.append(next)
        advance()
      }
    }
    throw malformed("a string is not closed", at: place)
  }

  /// Reads a backslash escape as Python does; an unknown one keeps its backslash.
  private mutating func readEscape(
    into value: inout String.UnicodeScalarView
  ) throws(TemplateError) {
    let place = location
    advance()
    guard let kind = peek() else { return }
    advance()
    switch kind {
    case "\n": return
    case "\\", "'", "\"": value.append(kind)
    case "n": value.append("\n")
    case "t": value.append("\t")
    case "r": value.append("\r")
    case "a": value.append("\u{07}")
    case "b": value.append("\u{08}")
    case "f": value.append("\u{0C}")
    case "v": value.append("\u{0B}")
    case "x": value.append(try readCodePoint(digits: 2, at: place))
    case "u": value.append(try readCodePoint(digits: 4, at: place))
    case "U": value.append(try readCodePoint(digits: 8, at: place))
    case "0"..."7":
      var octal = kind.value - 48
      for _ in 0..<2 {
        guard let digit = peek(), ("0"..."7").contains(digit) else { break }
        octal = octal * 8 + digit.value - 48
        advance()
      }
      if let scalar = Unicode.Scalar(octal) { value.append(scalar) }
    default:
      value.append("\\")
      value.append(kind)
    }
  }

  private mutating func readCodePoint(
    digits count: Int, at place: SourceLocation
  ) throws(TemplateError) -> Unicode.Scalar {
    var number: UInt32 = 0
    for _ in 0..<count {
      guard let digit = peek(), let value = digit.hexDigitValue else {
        throw malformed("a character escape needs \(count) hexadecimal digits", at: place)
      }
      number = number &* 16 &+ value
      advance()
    }
    guard let scalar = Unicode.Scalar(number) else {
      throw malformed("a character escape names no character", at: place)
    }
    return scalar
  }
}
