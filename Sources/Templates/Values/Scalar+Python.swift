extension Unicode.Scalar {
  /// What `str.isspace` and `str.strip` take for white space.
  var isPythonSpace: Bool {
    switch value {
    case 0x09...0x0D, 0x1C...0x20, 0x85, 0xA0: true
    case 0...0x7F: false
    default: properties.isWhitespace
    }
  }

  var isDecimalDigit: Bool { (48...57).contains(value) }

  var isHexDigit: Bool { hexDigitValue != nil }

  var hexDigitValue: UInt32? {
    switch value {
    case 48...57: value - 48
    case 65...70: value - 55
    case 97...102: value - 87
    default: nil
    }
  }

  /// Whether the scalar may be part of an identifier.
  var isNamePart: Bool {
    switch value {
    case 48...57, 65...90, 95, 97...122: true
    case 0...0x7F: false
    default: properties.isXIDContinue
    }
  }

  /// What `str.isprintable` accepts, and so what `repr` leaves unescaped.
  var isPythonPrintable: Bool {
    if value < 0x7F { return value >= 0x20 }
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator, .spaceSeparator:
      return false
    default:
      return true
    }
  }

  /// Whether the scalar is a line end for `str.splitlines`.
  var isPythonLineEnd: Bool {
    switch value {
    case 0x0A...0x0D, 0x1C...0x1E, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }
}
