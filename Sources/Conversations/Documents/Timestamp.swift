import Glibc

/// A moment, in milliseconds.
package struct Timestamp: Sendable, Hashable, Comparable {
  /// Milliseconds since the beginning of 1970, UTC.
  package var milliseconds: Int

  package init(milliseconds: Int) {
    self.milliseconds = milliseconds
  }

  package static var now: Timestamp {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: time.tv_sec * 1000 + time.tv_nsec / 1_000_000)
  }

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

// MARK: Text

extension Timestamp {
  /// Such as `2026-11-30T09:54:14.123Z`.
  package var iso8601: String {
    let (days, rest) = milliseconds.quotientAndRemainder(flooredBy: 86_400_000)
    let date = CalendarDate(daysSince1970: days)
    let second = rest / 1000
    return date.text + "T" + digits(second / 3600, 2) + ":" + digits(second / 60 % 60, 2) + ":"
      + digits(second % 60, 2) + "." + digits(rest % 1000, 3) + "Z"
  }

  /// Such as `20261130T095414Z`, for names of files.
  package var compactText: String {
    String(iso8601.filter { $0 != "-" && $0 != ":" }.prefix(15)) + "Z"
  }

  /// The moment that a text of the form of `iso8601` means; fractions may be missing.
  package init?(iso8601 text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.count <= 30, bytes.last == UInt8(ascii: "Z") else { return nil }
    let separators: [(Int, Character)] = [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")]
    for (place, separator) in separators where bytes[place] != separator.asciiValue {
      return nil
    }
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for byte in bytes[range] {
        guard byte >= 0x30, byte <= 0x39 else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      return value
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
    else { return nil }
    var fraction = 0
    if bytes[19] == UInt8(ascii: ".") {
      let places = bytes.count - 21
      guard (1...9).contains(places), let value = number(20..<(bytes.count - 1)) else {
        return nil
      }
      fraction =
        places <= 3 ? value : value / [10, 100, 1000, 10_000, 100_000, 1_000_000][places - 4]
      for _ in 0..<max(0, 3 - places) { fraction *= 10 }
    } else if bytes.count != 20 {
      return nil
    }
    let days = CalendarDate(year: year, month: month, day: day).daysSince1970
    self.init(
      milliseconds: (days * 86_400 + hour * 3600 + minute * 60 + second) * 1000 + fraction)
  }

  private func digits(_ value: Int, _ count: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}

// MARK: Local time

extension Timestamp {
  /// Date and minute where the user is, such as `2026-11-30 09:54`.
  package var localText: String {
    let (date, minutes) = local
    return date.text + " " + digits(minutes / 60, 2) + ":" + digits(minutes % 60, 2)
  }

  /// The date where the user is.
  package var localDate: CalendarDate { local.date }

  private var local: (date: CalendarDate, minutes: Int) {
    var seconds = time_t(milliseconds.quotientAndRemainder(flooredBy: 1000).quotient)
    var parts = unsafe tm()
    guard unsafe localtime_r(&seconds, &parts) != nil else {
      let (days, rest) = milliseconds.quotientAndRemainder(flooredBy: 86_400_000)
      return (CalendarDate(daysSince1970: days), rest / 60_000)
    }
    return unsafe (
      CalendarDate(
        year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday)),
      Int(parts.tm_hour) * 60 + Int(parts.tm_min)
    )
  }
}

extension Int {
  /// Rounded down, so that the remainder is never negative.
  fileprivate func quotientAndRemainder(flooredBy divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
