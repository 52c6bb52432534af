// `str.format` and `%` with the parts of their languages that templates use: replacement fields by
// position, number or name without attributes, `!r`, and a printf conversion with optional flags,
// width and precision.

/// How one value is to be laid out.
struct FormatSpecification {
  var alignsLeft: Bool?
  var fillsWithZeros = false
  var width = 0
  var precision: Int?
  var type: Unicode.Scalar?
}

extension Interpreter {
  mutating func formatBraces(
    _ format: String, _ arguments: CallArguments
  ) throws(TemplateError) -> String {
    var result = ""
    var rest = Substring(format).unicodeScalars
    var automatic = 0
    while let scalar = rest.popFirst() {
      if (scalar == "{" || scalar == "}") && rest.first == scalar {
        rest.removeFirst()
        try append(String(scalar), to: &result)
        continue
      }
      guard scalar != "}" else { throw fail("'format' finds a '}' without '{'") }
      guard scalar == "{" else {
        try append(String(scalar), to: &result)
        continue
      }
      guard let end = rest.firstIndex(of: "}") else {
        throw fail("'format' finds a '{' without '}'")
      }
      let field = String(rest[..<end])
      rest = rest[rest.index(after: end)...]
      let text = try formatField(field, arguments, automatic: &automatic)
      try append(text, to: &result)
    }
    return result
  }

  private mutating func formatField(
    _ field: String, _ arguments: CallArguments, automatic: inout Int
  ) throws(TemplateError) -> String {
    let parts = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let reference = parts.first.map(String.init) ?? ""
    let wantsRepr = reference.hasSuffix("!r")
    let name = wantsRepr || reference.hasSuffix("!s") ? String(reference.dropLast(2)) : reference
    var value: TemplateValue?
    if name.isEmpty {
      value =
        automatic < arguments.positional.count ? arguments.positional[automatic] : nil
      automatic += 1
    } else if let index = Int(name) {
      value = arguments.positional.indices.contains(index) ? arguments.positional[index] : nil
    } else {
      value = arguments.named.first { $0.name.equals(name) }?.value
    }
    guard let value else { throw fail("'format' has no argument for '{\(field)}'") }
    let shown = wantsRepr ? TemplateValue.string(try representation(of: value)) : value
    let specification = parts.count > 1 ? String(parts[1]) : ""
    guard !specification.isEmpty else { return try text(of: shown) }
    return try formatted(shown, try parseSpecification(specification))
  }

  private func parseSpecification(
    _ text: String
  ) throws(TemplateError) -> FormatSpecification {
    var specification = FormatSpecification()
    var rest = Substring(text).unicodeScalars
    if let sign = rest.first, sign == "<" || sign == ">" {
      specification.alignsLeft = sign == "<"
      rest.removeFirst()
    }
    readLayout(&rest, into: &specification)
    specification.type = rest.popFirst()
    guard rest.isEmpty else {
      throw TemplateError(.unsupported("the format '\(text)'"), at: location)
    }
    return specification
  }

  /// Reads `[0][width][.precision]`.
  private func readLayout(
    _ rest: inout Substring.UnicodeScalarView, into specification: inout FormatSpecification
  ) {
    func number() -> Int? {
      var digits = ""
      while let next = rest.first, next.isDecimalDigit {
        digits.unicodeScalars.append(next)
        rest.removeFirst()
      }
      return Int(digits)
    }
    if rest.first == "0" {
      specification.fillsWithZeros = true
      rest.removeFirst()
    }
    specification.width = number() ?? 0
    if rest.first == "." {
      rest.removeFirst()
      specification.precision = number() ?? 0
    }
  }

  mutating func formatPercent(
    _ format: String, _ operands: [TemplateValue], named: [CallArguments.Named] = []
  ) throws(TemplateError) -> String {
    var result = ""
    var next = 0
    var rest = Substring(format).unicodeScalars
    while let scalar = rest.popFirst() {
      guard scalar == "%" else {
        try append(String(scalar), to: &result)
        continue
      }
      if rest.first == "%" {
        rest.removeFirst()
        try append("%", to: &result)
        continue
      }
      var value: TemplateValue?
      if rest.first == "(", let end = rest.firstIndex(of: ")") {
        let name = String(rest[rest.index(after: rest.startIndex)..<end])
        value = named.first { $0.name.equals(name) }?.value
        rest = rest[rest.index(after: end)...]
      } else {
        value = next < operands.count ? operands[next] : nil
        next += 1
      }
      var specification = FormatSpecification()
      if rest.first == "-" {
        specification.alignsLeft = true
        rest.removeFirst()
      }
      readLayout(&rest, into: &specification)
      specification.type = rest.popFirst()
      guard let value else { throw fail("a format has fewer values than places for them") }
      if specification.alignsLeft == nil { specification.alignsLeft = false }
      let text = try formatted(value, specification)
      try append(text, to: &result)
    }
    return result
  }

  private mutating func formatted(
    _ value: TemplateValue, _ specification: FormatSpecification
  ) throws(TemplateError) -> String {
    var text: String
    switch specification.type {
    case nil where value.number != nil && specification.precision == nil, "s"?, nil:
      text = try self.text(of: value)
      if let precision = specification.precision {
        text = String(text.unicodeScalars.prefix(precision))
      }
    case "r"?:
      text = try representation(of: value)
    case "d"?, "i"?, "x"?, "X"?:
      guard let number = value.number,
        let integer = number.asDouble.truncated.asExactInteger
      else { throw fail("a format wants a number, not '\(value.typeName)'") }
      let exact = value.integer ?? integer
      switch specification.type {
      case "x"?: text = String(exact, radix: 16)
      case "X"?: text = String(exact, radix: 16, uppercase: true)
      default: text = "\(exact)"
      }
    case "f"?, "F"?:
      guard let number = value.number else {
        throw fail("a format wants a number, not '\(value.typeName)'")
      }
      text = number.asDouble.fixed(digits: min(specification.precision ?? 6, 100))
    case let type?:
      throw TemplateError(.unsupported("the format type '\(type)'"), at: location)
    }
    let isNumber = value.number != nil
    let left = specification.alignsLeft ?? !isNumber
    let method: StringMethod = left ? .ljust : specification.fillsWithZeros ? .zfill : .rjust
    return try padded(
      text, to: specification.width, with: method == .zfill ? "0" : " ", method)
  }
}

extension Double {
  /// The number with so many digits after the point.
  ///
  /// Rounds the shortest decimal form half up, where C rounds the binary value: the two differ only
  /// in the last digit of exact ties.
  func fixed(digits count: Int) -> String {
    guard isFinite else { return pythonDescription }
    let (text, point) = magnitude.shortestDigits
    var digits = text.utf8.map { Int($0) - 48 }
    var place = point
    if place < 0 {
      digits = [Int](repeating: 0, count: Swift.min(-place, count + 1)) + digits
      place = 0
    }
    let kept = place + count
    let roundsUp = kept < digits.count && digits[kept] >= 5
    digits = Array(digits.prefix(kept))
    digits += [Int](repeating: 0, count: kept - digits.count)
    if roundsUp {
      var index = kept - 1
      while index >= 0, digits[index] == 9 {
        digits[index] = 0
        index -= 1
      }
      if index >= 0 {
        digits[index] += 1
      } else {
        digits.insert(1, at: 0)
        place += 1
      }
    }
    let whole = digits.prefix(place).map(String.init).joined()
    let fraction = digits.dropFirst(place).map(String.init).joined()
    let sign = self.sign == .minus ? "-" : ""
    return sign + (whole.isEmpty ? "0" : whole) + (count > 0 ? "." + fraction : "")
  }
}
