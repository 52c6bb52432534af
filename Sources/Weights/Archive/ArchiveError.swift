import Glibc

/// Why a file of our own cannot be written, or is of no use.
package enum ArchiveError: Error, Hashable {
  /// The system refused.
  case system(path: String, code: Int32)
  /// It is not a file of that kind, or of another version.
  case foreign(path: String)
  /// It is not what was written.
  case damaged(path: String)

  /// Whether there is simply no such file.
  package var isMissing: Bool {
    if case .system(_, let code) = self { code == ENOENT } else { false }
  }
}

extension ArchiveError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .system(let path, let code): "\(path) cannot be used: \(systemReason(code))."
    case .foreign(let path): "\(path) was written by another version, or by something else."
    case .damaged(let path): "\(path) is damaged."
    }
  }
}
