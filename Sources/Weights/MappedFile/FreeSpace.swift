import Glibc

/// Bytes that an ordinary user may still write on the disk of a path; nil if nobody knows.
package func freeSpace(at path: String) -> Int? {
  var status = statvfs()
  guard unsafe statvfs(path, &status) == 0 else { return nil }
  let (bytes, overflow) = Int(status.f_bavail).multipliedReportingOverflow(
    by: Int(status.f_frsize))
  return overflow ? .max : bytes
}
