/// The tests (`is …`) Pipit has, by Jinja's names.
enum ValueTest: String, Sendable, CaseIterable {
  case boolean, callable, defined, divisibleby, escaped, even, filter, float, integer, iterable
  case isIn = "in"
  case isFalse = "false"
  case isTrue = "true"
  case lower, mapping, none, number, odd, sameas, sequence, string, test, undefined, upper
  case equal = "eq"
  case notEqual = "ne"
  case less = "lt"
  case lessOrEqual = "le"
  case greater = "gt"
  case greaterOrEqual = "ge"

  init?(named name: String) {
    switch name {
    case "==", "equalto": self = .equal
    case "!=": self = .notEqual
    case "<", "lessthan": self = .less
    case "<=": self = .lessOrEqual
    case ">", "greaterthan": self = .greater
    case ">=": self = .greaterOrEqual
    default: self.init(rawValue: name)
    }
  }

  /// The comparison that is the same thing.
  var comparison: Comparison? {
    switch self {
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    default: nil
    }
  }
}
