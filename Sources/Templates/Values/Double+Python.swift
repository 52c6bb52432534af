extension Double {
  /// Python's `repr`: the shortest digits that read back, with an exponent below 1e-4 and from
  /// 1e16 on.
  var pythonDescription: String {
    if isNaN { return "nan" }
    if isInfinite { return self < 0 ? "-inf" : "inf" }
    let (digits, point) = magnitude.shortestDigits
    let sign = self.sign == .minus ? "-" : ""
    let count = digits.utf8.count
    if point > 16 || point < -3 {
      let first = digits.prefix(1)
      let rest = digits.dropFirst()
      let exponent = point - 1
      let size = abs(exponent) < 10 ? "0\(abs(exponent))" : "\(abs(exponent))"
      let fraction = rest.isEmpty ? "" : ".\(rest)"
      return "\(sign)\(first)\(fraction)e\(exponent < 0 ? "-" : "+")\(size)"
    }
    if point <= 0 {
      return sign + "0." + String(repeating: "0", count: -point) + digits
    }
    if point >= count {
      return sign + digits + String(repeating: "0", count: point - count) + ".0"
    }
    return "\(sign)\(digits.prefix(point)).\(digits.dropFirst(point))"
  }

  /// The shortest decimal digits d₁d₂… and the place of the point, as in 0.d₁d₂… × 10^point.
  ///
  /// Only for finite, non-negative numbers.
  var shortestDigits: (digits: String, point: Int) {
    var text = Substring(description)
    var exponent = 0
    if let marker = text.lastIndex(of: "e") {
      exponent = Int(text[text.index(after: marker)...]) ?? 0
      text = text[..<marker]
    }
    var digits = ""
    var point: Int?
    for character in text {
      if character == "." { point = digits.utf8.count } else { digits.append(character) }
    }
    var place = (point ?? digits.utf8.count) + exponent
    let leading = digits.prefix { $0 == "0" }.count
    digits.removeFirst(leading)
    place -= leading
    while digits.last == "0" { digits.removeLast() }
    return digits.isEmpty ? ("0", 1) : (digits, place)
  }
}
