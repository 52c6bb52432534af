/// Turns a regular expression of tokenizer.json, whose syntax is Oniguruma's, into one for PCRE2
/// that matches the same.
///
/// What means the same in both is copied; what can be said otherwise is rewritten (`\s` is the
/// White_Space property, where PCRE2's also matches U+180E); everything else is refused by name
/// rather than taken for something it is not.
struct PatternTranslator {
  private static let spaces =
    #"\x09-\x0d\x20\x85\xa0\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}"#
  private static let notSpaces =
    #"\x00-\x08\x0e-\x1f\x21-\x84\x86-\x9f\xa1-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}"#
    + #"\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{10ffff}"#
  private static let word = #"\p{L}\p{M}\p{N}\p{Pc}"#
  /// A repeat count above this has no place in a pre-tokeniser, and multiplies compiled size.
  private static let repeatLimit = 1000

  private let source: String
  private let input: [Unicode.Scalar]
  private var position = 0
  private var output = ""

  static func translate(_ source: String) throws(TokenizerError) -> String {
    var translator = PatternTranslator(source: source, input: Array(source.unicodeScalars))
    while !translator.isAtEnd { try translator.translateNext() }
    return translator.output
  }

  private init(source: String, input: [Unicode.Scalar]) {
    self.source = source
    self.input = input
  }

  private var isAtEnd: Bool { position >= input.count }

  private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    position + distance < input.count ? input[position + distance] : nil
  }

  private func hasPrefix(_ text: String) -> Bool {
    input[position...].starts(with: text.unicodeScalars)
  }

  private func unsupported(_ construct: String) -> TokenizerError {
    .unsupportedPattern(source, construct: construct)
  }

  private mutating func copy(_ count: Int = 1) {
    for scalar in input[position..<min(position + count, input.count)] {
      output.unicodeScalars.append(scalar)
    }
    position += count
  }

  private mutating func translateNext() throws(TokenizerError) {
    switch input[position] {
    case "\\": try translateEscape(inClass: false)
    case "[": try translateClass()
    case "(": try translateGroup()
    case "{": try translateRepeat()
    case "^":
      output += "(?m:^)"
      position += 1
    case "$":
      output += "(?m:$)"
      position += 1
    case "\0":
      output += #"\x00"#
      position += 1
    default: copy()
    }
  }

  private mutating func translateGroup() throws(TokenizerError) {
    if peek(1) == "*" { throw unsupported("(*") }
    guard peek(1) == "?" else { return copy() }
    for opening in ["(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?i:", "(?-i:", "(?i)", "(?-i)"]
    where hasPrefix(opening) {
      return copy(opening.unicodeScalars.count)
    }
    throw unsupported(String(String.UnicodeScalarView(input[position...].prefix(4))))
  }

  private mutating func translateRepeat() throws(TokenizerError) {
    var end = position + 1
    while end < input.count, input[end] != "}", end - position < 12 { end += 1 }
    let body = String(String.UnicodeScalarView(input[position + 1..<min(end, input.count)]))
    let counts = body.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
    guard end < input.count, input[end] == "}", let least = counts.first.flatMap({ Int($0) }),
      (0...Self.repeatLimit).contains(least)
    else { throw unsupported("{" + body) }
    if counts.count == 2, !counts[1].isEmpty {
      guard let most = Int(counts[1]), (least...Self.repeatLimit).contains(most) else {
        throw unsupported("{" + body)
      }
    }
    copy(end - position + 1)
    // Oniguruma repeats the repetition where PCRE2 makes it possessive.
    if peek() == "+" { throw unsupported("{\(body)}+") }
  }

  private mutating func translateClass() throws(TokenizerError) {
    copy()
    if peek() == "^" { copy() }
    if peek() == "]" { throw unsupported("[]") }
    while let scalar = peek() {
      switch scalar {
      case "]": return copy()
      case "\\": try translateEscape(inClass: true)
      case "[": throw unsupported("[ inside [ ]")
      case "&" where peek(1) == "&": throw unsupported("&&")
      case "\0":
        output += #"\x00"#
        position += 1
      default: copy()
      }
    }
    throw .invalidPattern(source, offset: source.utf8.count, reason: "a class is not closed")
  }

  private mutating func translateEscape(inClass: Bool) throws(TokenizerError) {
    guard let escaped = peek(1) else {
      throw .invalidPattern(source, offset: source.utf8.count, reason: "it ends with a backslash")
    }
    switch escaped {
    case "s", "S":
      let set = escaped == "s" ? Self.spaces : Self.notSpaces
      output += inClass ? set : "[\(set)]"
    case "w": output += inClass ? Self.word : "[\(Self.word)]"
    case "W" where !inClass: output += "[^\(Self.word)]"
    case "d": output += #"\p{Nd}"#
    case "D": output += #"\P{Nd}"#
    case "n", "r", "t", "f", "a", "e": output += "\\\(escaped)"
    case "v": output += #"\x0b"#
    case "p", "P": return try translateProperty()
    case "x": return try translateHexadecimal(digits: 2)
    case "u": return try translateHexadecimal(digits: 4)
    case "A" where !inClass, "z" where !inClass: output += "\\\(escaped)"
    case _ where !escaped.properties.isAlphabetic && !("0"..."9").contains(escaped):
      output += "\\\(escaped)"
    default: throw unsupported("\\\(escaped)")
    }
    position += 2
  }

  private mutating func translateProperty() throws(TokenizerError) {
    guard peek(2) == "{" else { throw unsupported("\\p without {}") }
    var end = position + 3
    while end < input.count, input[end] != "}" {
      let scalar = input[end]
      guard scalar.isASCII, scalar.properties.isAlphabetic || scalar == "_" || scalar == "^"
      else { throw unsupported("\\p{… \(scalar) …}") }
      end += 1
    }
    guard end < input.count else {
      throw .invalidPattern(source, offset: source.utf8.count, reason: "\\p{ is not closed")
    }
    copy(end - position + 1)
  }

  /// `\xNN`, `\x{N…}` and `\uNNNN`.
  private mutating func translateHexadecimal(digits: Int) throws(TokenizerError) {
    var start = position + 2
    var end = start
    let isBraced = digits == 2 && peek(2) == "{"
    if isBraced { start += 1; end += 1 }
    while end < input.count, input[end].properties.isASCIIHexDigit,
      end - start < (isBraced ? 8 : digits)
    { end += 1 }
    let text = String(String.UnicodeScalarView(input[start..<min(end, input.count)]))
    guard let value = UInt32(text, radix: 16), Unicode.Scalar(value) != nil,
      isBraced ? end < input.count && input[end] == "}" : end - start == digits
    else { throw unsupported("\\\(input[position + 1])\(text)") }
    output += "\\x{\(text)}"
    position = isBraced ? end + 1 : end
  }
}
