import Inference

/// Numbers as a reader sees them: a point before decimals, decimal units.
enum Figures {
  /// `digits` places after the point.
  static func fixed(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "-" }
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int((abs(value) * scale).rounded())
    let whole = String(scaled / Int(scale))
    let sign = value < 0 && scaled > 0 ? "-" : ""
    if digits == 0 { return sign + whole }
    let fraction = String(scaled % Int(scale))
    return sign + whole + "." + String(repeating: "0", count: digits - fraction.count) + fraction
  }

  /// Three digits or so: 312, 31.2, 3.12.
  static func short(_ value: Double) -> String {
    switch abs(value) {
    case ..<9.995: fixed(value, 2)
    case ..<99.95: fixed(value, 1)
    default: fixed(value, 0)
    }
  }

  /// 98 MB, 1.28 GB.
  static func bytes(_ count: Int) -> String {
    ByteCount.text(count)
  }

  /// 135 million, 8.19 billion.
  static func count(_ count: Int) -> String {
    count < 1_000_000_000
      ? "\(short(Double(count) / 1e6)) million" : "\(short(Double(count) / 1e9)) billion"
  }

  /// 12,345.
  static func grouped(_ value: Int) -> String {
    var digits = Array(String(abs(value)))
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: place)
      place -= 3
    }
    return (value < 0 ? "-" : "") + String(digits)
  }

  /// 0.21 s, 12 s, 3 min 20 s.
  static func duration(_ seconds: Double) -> String {
    if seconds < 60 { return "\(seconds < 10 ? fixed(seconds, 2) : fixed(seconds, 0)) s" }
    let whole = seconds < 1e9 ? Int(seconds.rounded()) : 1_000_000_000
    return "\(whole / 60) min \(whole % 60) s"
  }

  /// 0.4 s, 4.2 s, 42 s, 3 min 20 s.
  static func brief(_ seconds: Double) -> String {
    seconds < 9.95 ? "\(fixed(seconds, 1)) s" : duration(seconds)
  }

  /// "1 token", "2 tokens".
  static func tokens(_ count: Int) -> String {
    count == 1 ? "1 token" : "\(grouped(count)) tokens"
  }
}
