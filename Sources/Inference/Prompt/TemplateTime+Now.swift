import Glibc
package import Templates

extension TemplateTime {
  /// The local wall-clock time; nil when the system does not tell.
  package static var now: TemplateTime? {
    var seconds = time_t()
    unsafe time(&seconds)
    var parts = unsafe tm()
    guard unsafe localtime_r(&seconds, &parts) != nil else { return nil }
    return unsafe TemplateTime(
      year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
      hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec))
  }
}
