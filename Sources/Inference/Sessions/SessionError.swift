/// Why a session is not written, or not used.
package enum SessionError: Error, Hashable {
  /// All sessions together may not have as many bytes as this one alone.
  case tooLarge(Int, limit: Int)
  /// It is of another model, version or setting.
  case otherModel(path: String)
  /// It has more tokens than the context.
  case longerContext(path: String)
  /// There is not enough memory for it.
  case noMemory(Int, available: Int)
}

extension SessionError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLarge(let size, let limit):
      """
      The session takes \(ByteCount.text(size)), which is more than the \(ByteCount.text(limit)) \
      that all sessions may take.
      """
    case .otherModel(let path):
      "\(path) was made with another model, version or setting."
    case .longerContext(let path): "\(path) has more tokens than the context."
    case .noMemory(let size, let available):
      """
      The session takes \(ByteCount.text(size)), but \(ByteCount.text(available)) of memory is \
      available.
      """
    }
  }
}
