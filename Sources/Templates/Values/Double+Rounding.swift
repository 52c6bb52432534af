// The standard library's `rounded` and `truncatingRemainder` call the C mathematics library, which
// a target that imports nothing does not link.

extension Double {
  /// The number without its fraction.
  var truncated: Double {
    magnitude < 0x1p53 ? Double(Int(self)) : self
  }

  var roundedDown: Double {
    let whole = truncated
    return whole > self ? whole - 1 : whole
  }

  var roundedUp: Double {
    let whole = truncated
    return whole < self ? whole + 1 : whole
  }

  /// The nearest integer, of two equally near ones the even one.
  var roundedToEven: Double {
    guard magnitude < 0x1p52 else { return self }
    return self < 0 ? (self - 0x1p52) + 0x1p52 : (self + 0x1p52) - 0x1p52
  }

  /// The integer the number is; nil when it has a fraction or exceeds 64 bits.
  var asExactInteger: Int? {
    guard self >= -0x1p63, self < 0x1p63 else { return nil }
    let integer = Int(self)
    return Double(integer) == self ? integer : nil
  }
}
