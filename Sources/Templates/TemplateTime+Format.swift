extension TemplateTime {
  /// Monday is 0.
  var weekday: Int {
    // Sakamoto's method; years are taken modulo 400, the period of the calendar.
    let offsets = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4]
    let month = min(max(month, 1), 12)
    let year = ((year % 400) + 400) % 400 + 400 - (month < 3 ? 1 : 0)
    let sunday = year + year / 4 - year / 100 + year / 400 + offsets[month - 1] + day % 7 + 7
    return (sunday + 6) % 7
  }

  /// 1 for the first of January.
  var dayOfYear: Int {
    let before = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let month = min(max(month, 1), 12)
    return before[month - 1] + day + (isLeap && month > 2 ? 1 : 0)
  }

  /// `strftime`, in English; an unknown directive stays as it is.
  func formatted(_ format: String) -> String {
    var result = ""
    var rest = Substring(format).unicodeScalars
    while let scalar = rest.popFirst() {
      guard scalar == "%", var directive = rest.popFirst() else {
        result.unicodeScalars.append(scalar)
        continue
      }
      var isPadded = true
      if directive == "-", let next = rest.popFirst() {
        isPadded = false
        directive = next
      }
      if let text = text(for: directive, isPadded: isPadded) {
        result += text
      } else {
        result += "%" + (isPadded ? "" : "-")
        result.unicodeScalars.append(directive)
      }
    }
    return result
  }

  private func text(for directive: Unicode.Scalar, isPadded: Bool) -> String? {
    func number(_ value: Int, _ digits: Int = 2, fill: String = "0") -> String {
      let text = "\(value)"
      guard isPadded else { return text }
      return String(repeating: fill, count: max(0, digits - text.utf8.count)) + text
    }
    let hour12 = hour % 12 == 0 ? 12 : hour % 12
    let monthName = Self.months[min(max(month, 1), 12) - 1]
    let dayName = Self.weekdays[weekday]
    return switch directive {
    case "%": "%"
    case "n": "\n"
    case "t": "\t"
    case "Y": "\(year)"
    case "y": number(year % 100)
    case "m": number(month)
    case "d": number(day)
    case "e": number(day, fill: " ")
    case "H": number(hour)
    case "I": number(hour12)
    case "M": number(minute)
    case "S": number(second)
    case "j": number(dayOfYear, 3)
    case "p": hour < 12 ? "AM" : "PM"
    case "B": monthName
    case "b", "h": String(monthName.prefix(3))
    case "A": dayName
    case "a": String(dayName.prefix(3))
    case "u": "\(weekday + 1)"
    case "w": "\((weekday + 1) % 7)"
    case "F": formatted("%Y-%m-%d")
    case "T", "X": formatted("%H:%M:%S")
    case "R": formatted("%H:%M")
    case "D", "x": formatted("%m/%d/%y")
    case "c": formatted("%a %b %e %H:%M:%S %Y")
    default: nil
    }
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
  private static let weekdays = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]
}
