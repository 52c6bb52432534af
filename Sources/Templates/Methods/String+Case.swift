extension Unicode.Scalar {
  var isCased: Bool { properties.isCased }
}

extension String {
  /// `str.title`: a cased letter after another is small, and any other one is in title case.
  var titleCased: String {
    var result = ""
    var afterCased = false
    for scalar in unicodeScalars {
      result +=
        afterCased ? scalar.properties.lowercaseMapping : scalar.properties.titlecaseMapping
      afterCased = scalar.isCased
    }
    return result
  }

  var swappedCase: String {
    var result = ""
    for scalar in unicodeScalars {
      result +=
        scalar.properties.isUppercase
        ? scalar.properties.lowercaseMapping : scalar.properties.uppercaseMapping
    }
    return result
  }

  /// Jinja's `title` filter, which starts a word after blanks, hyphens and opening brackets.
  var titleFiltered: String {
    var result = ""
    var atStart = true
    for scalar in unicodeScalars {
      let separates = scalar.isPythonSpace || "-({[<".unicodeScalars.contains(scalar)
      result +=
        atStart && !separates
        ? scalar.properties.uppercaseMapping : scalar.properties.lowercaseMapping
      atStart = separates
    }
    return result
  }

  /// The predicates of `str`, `isupper` and the like.
  func satisfies(_ method: StringMethod) -> Bool {
    switch method {
    case .islower:
      return unicodeScalars.contains { $0.isCased }
        && !unicodeScalars.contains { $0.properties.isUppercase }
    case .isupper:
      return unicodeScalars.contains { $0.isCased }
        && !unicodeScalars.contains { $0.properties.isLowercase }
    case .istitle:
      return unicodeScalars.contains { $0.isCased } && equals(titleCased)
    default: break
    }
    return !isEmpty
      && unicodeScalars.allSatisfy { scalar in
        let type = scalar.properties.numericType
        let isLetter =
          switch scalar.properties.generalCategory {
          case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter,
            .otherLetter:
            true
          default: false
          }
        return switch method {
        case .isalpha: isLetter
        case .isalnum: isLetter || type != nil
        case .isdecimal: type == .decimal
        case .isdigit: type == .decimal || type == .digit
        case .isnumeric: type != nil
        default: scalar.isPythonSpace
        }
      }
  }
}
