/// Bytes in decimal units, as disks and downloads are measured.
package enum ByteCount {
  /// At most three digits before or around the point: 999 B, 1.16 GB, 98.4 MB, 267 MB.
  package static func text(_ count: Int) -> String {
    guard count >= 1000 else { return "\(max(0, count)) B" }
    let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
    var unit = 0
    var hundredth = 10
    var value = rounded(count, hundredth: hundredth)
    while value >= 100_000, unit < units.count - 1 {
      unit += 1
      hundredth *= 1000
      value = rounded(count, hundredth: hundredth)
    }
    let whole = value / 100
    let fraction = value % 100
    let digits =
      if whole >= 100 {
        "\(whole)"
      } else if whole >= 10 {
        "\(whole).\(fraction / 10)"
      } else {
        "\(whole).\(fraction / 10)\(fraction % 10)"
      }
    return "\(digits) \(units[unit])"
  }

  /// The hundredths of a unit in `count`, rounded to the three digits that are shown.
  private static func rounded(_ count: Int, hundredth: Int) -> Int {
    let exact = count / hundredth
    let step = exact >= 10_000 ? 100 : exact >= 1000 ? 10 : 1
    return count.added(clamping: step * hundredth / 2) / (step * hundredth) * step
  }
}

extension Int {
  /// The number with a comma between groups of three digits.
  package var grouped: String {
    var digits = String(magnitude)
    var groups: [String] = []
    while digits.count > 3 {
      groups.append(String(digits.suffix(3)))
      digits.removeLast(3)
    }
    groups.append(digits)
    return (self < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
  }
}
