extension String {
  /// Python's `repr`: single quotes unless only those occur inside, and escapes for whatever
  /// does not print.
  var pythonRepresentation: String {
    let quote: Unicode.Scalar =
      utf8.contains(UInt8(ascii: "'")) && !utf8.contains(UInt8(ascii: "\"")) ? "\"" : "'"
    var result = String.UnicodeScalarView()
    result.append(quote)
    for scalar in unicodeScalars {
      switch scalar {
      case "\\": result.append(contentsOf: "\\\\".unicodeScalars)
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\r": result.append(contentsOf: "\\r".unicodeScalars)
      case "\t": result.append(contentsOf: "\\t".unicodeScalars)
      case quote:
        result.append("\\")
        result.append(quote)
      default:
        if scalar.isPythonPrintable {
          result.append(scalar)
        } else {
          result.append(contentsOf: scalar.pythonEscape.unicodeScalars)
        }
      }
    }
    result.append(quote)
    return String(result)
  }

  /// Whether `part` occurs, compared by code points.
  func contains(exactly part: String) -> Bool {
    part.isEmpty || utf8.firstRange(of: part.utf8, from: utf8.startIndex) != nil
  }

  /// The text without the scalars `belongs` accepts at either side.
  func stripped(
    left: Bool = true, right: Bool = true, _ belongs: (Unicode.Scalar) -> Bool
  ) -> String {
    var rest = Substring(self).unicodeScalars
    if left {
      while let first = rest.first, belongs(first) { rest.removeFirst() }
    }
    if right {
      while let last = rest.last, belongs(last) { rest.removeLast() }
    }
    return String(rest)
  }

  /// First letter in title case, all others small.
  var capitalised: String {
    guard let first = unicodeScalars.first else { return "" }
    let rest = String(unicodeScalars.dropFirst())
    return first.properties.titlecaseMapping + rest.lowercased()
  }

  /// The lines of the text without their ends, as `str.splitlines` sees them.
  var pythonLines: [String] {
    var lines: [String] = []
    var line = String.UnicodeScalarView()
    var afterCarriageReturn = false
    var isOpen = false
    for scalar in unicodeScalars {
      defer { afterCarriageReturn = scalar == "\r" }
      if scalar == "\n", afterCarriageReturn { continue }
      if scalar.isPythonLineEnd {
        lines.append(String(line))
        line = String.UnicodeScalarView()
        isOpen = false
      } else {
        line.append(scalar)
        isOpen = true
      }
    }
    if isOpen { lines.append(String(line)) }
    return lines
  }
}

extension String.UTF8View {
  /// The first occurrence of `part`, which is not empty, at or after `start`.
  ///
  /// Complexity: O(n·m) at worst.
  func firstRange(of part: String.UTF8View, from start: Index) -> Range<Index>? {
    guard let first = part.first else { return nil }
    let count = part.count
    var start = start
    while let candidate = self[start...].firstIndex(of: first) {
      guard let end = index(candidate, offsetBy: count, limitedBy: endIndex) else { return nil }
      if self[candidate..<end].elementsEqual(part) { return candidate..<end }
      start = index(after: candidate)
    }
    return nil
  }
}

extension Unicode.Scalar {
  /// `\xhh`, `\uhhhh` or `\Uhhhhhhhh`.
  var pythonEscape: String {
    if value <= 0xFF { return "\\x" + Self.hexadecimal(value, digits: 2) }
    if value <= 0xFFFF { return "\\u" + Self.hexadecimal(value, digits: 4) }
    return "\\U" + Self.hexadecimal(value, digits: 8)
  }

  static func hexadecimal(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
  }
}
