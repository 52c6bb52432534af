/// A wall-clock time for `strftime_now`, given by the caller so that rendering reads no clock.
package struct TemplateTime: Sendable, Hashable {
  package var year: Int
  /// 1…12.
  package var month: Int
  /// 1…31.
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int

  package init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }
}
