extension String {
  /// The string as JSON writes it, quotes included, with the escapes Python's `json` chooses.
  package func jsonLiteral(escapingNonASCII: Bool = false) -> String {
    var result = String.UnicodeScalarView()
    result.append("\"")
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": result.append(contentsOf: "\\\"".unicodeScalars)
      case "\\": result.append(contentsOf: "\\\\".unicodeScalars)
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\r": result.append(contentsOf: "\\r".unicodeScalars)
      case "\t": result.append(contentsOf: "\\t".unicodeScalars)
      case "\u{08}": result.append(contentsOf: "\\b".unicodeScalars)
      case "\u{0C}": result.append(contentsOf: "\\f".unicodeScalars)
      default:
        if scalar.value < 0x20 || (escapingNonASCII && scalar.value > 0x7E) {
          for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
            let digits = Unicode.Scalar.hexadecimal(UInt32(unit), digits: 4)
            result.append(contentsOf: "\\u\(digits)".unicodeScalars)
          }
        } else {
          result.append(scalar)
        }
      }
    }
    result.append("\"")
    return String(result)
  }
}
