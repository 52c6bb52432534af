/// An integer or a floating-point number, with Python's rules for mixing them.
enum Number: Sendable {
  case int(Int)
  case double(Double)

  var asDouble: Double {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    }
  }

  var value: TemplateValue {
    switch self {
    case .int(let value): .int(value)
    case .double(let value): .double(value)
    }
  }

  static func equal(_ left: Number, _ right: Number) -> Bool {
    switch (left, right) {
    case (.int(let left), .int(let right)): left == right
    case (.int(let whole), .double(let real)), (.double(let real), .int(let whole)):
      real.asExactInteger == whole
    case (.double(let left), .double(let right)): left == right
    }
  }

  static func less(_ left: Number, _ right: Number) -> Bool {
    switch (left, right) {
    case (.int(let left), .int(let right)): left < right
    default: left.asDouble < right.asDouble
    }
  }

  static func < (left: Number, right: Number) -> Bool { less(left, right) }

  /// The result of an operation; nil when it overflows 64 bits or divides by zero.
  static func compute(_ operation: Arithmetic, _ left: Number, _ right: Number) -> Number? {
    switch operation {
    case .add, .subtract, .multiply: sum(operation, left, right)
    case .divide:
      right.asDouble == 0 ? nil : .double(left.asDouble / right.asDouble)
    case .floorDivide, .remainder: floorDivision(operation, left, right)
    case .power: power(left, right)
    }
  }

  private static func sum(_ operation: Arithmetic, _ left: Number, _ right: Number) -> Number? {
    guard case (.int(let first), .int(let second)) = (left, right) else {
      let (first, second) = (left.asDouble, right.asDouble)
      return switch operation {
      case .add: .double(first + second)
      case .subtract: .double(first - second)
      default: .double(first * second)
      }
    }
    let (value, overflow) =
      switch operation {
      case .add: first.addingReportingOverflow(second)
      case .subtract: first.subtractingReportingOverflow(second)
      default: first.multipliedReportingOverflow(by: second)
      }
    return overflow ? nil : .int(value)
  }

  private static func floorDivision(
    _ operation: Arithmetic, _ left: Number, _ right: Number
  ) -> Number? {
    if case (.int(let first), .int(let second)) = (left, right) {
      guard second != 0 else { return nil }
      let (quotient, overflow) = first.dividedReportingOverflow(by: second)
      if overflow { return operation == .remainder ? .int(0) : nil }
      let remainder = first % second
      let rounds = remainder != 0 && (remainder < 0) != (second < 0)
      if operation == .floorDivide { return .int(rounds ? quotient - 1 : quotient) }
      return .int(rounds ? remainder + second : remainder)
    }
    let (first, second) = (left.asDouble, right.asDouble)
    guard second != 0 else { return nil }
    let quotient = (first / second).roundedDown
    return .double(operation == .floorDivide ? quotient : first - quotient * second)
  }

  /// Powers of integers, and of numbers with small integral exponents; nil for all else.
  private static func power(_ left: Number, _ right: Number) -> Number? {
    guard case .int(let exponent) = right, abs(exponent) <= 1024 else { return nil }
    if case .int(let base) = left, exponent >= 0 {
      var result = 1
      for _ in 0..<exponent {
        let (value, overflow) = result.multipliedReportingOverflow(by: base)
        if overflow { return nil }
        result = value
      }
      return .int(result)
    }
    var result = 1.0
    for _ in 0..<exponent.magnitude { result *= left.asDouble }
    return .double(exponent < 0 ? 1 / result : result)
  }
}
