import Glibc

/// A file that could not be read or written, and why.
package struct StoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package var path: String
  package var cause: SystemFailure

  package init(path: String, cause: SystemFailure) {
    self.path = path
    self.cause = cause
  }

  package var description: String {
    let what =
      switch cause.call {
      case .open, .read, .status, .names: "read"
      case .create, .write, .synchronise, .rename, .makeDirectory: "written"
      case .remove: "removed"
      case .lock: "locked"
      }
    return "\(path) could not be \(what): \(unsafe String(cString: strerror(cause.code)))."
  }
}
