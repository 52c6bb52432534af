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
      \(Self.why(limit)) what the model has read of the conversation (\(ByteCount.text(size))) is \
      not kept, and is read again when it goes on in another run.
      """
    case .otherModel(let path):
      "\(path) was made with another model, version or setting."
    case .longerContext(let path): "\(path) has more tokens than the context."
    case .noMemory(let size, let available):
      """
      What the model had read of the conversation takes \(ByteCount.text(size)), but \
      \(ByteCount.text(available)) of memory is available; it is read again.
      """
    }
  }

  /// A limit below a gigabyte is a tenth of what is free.
  private static func why(_ limit: Int) -> String {
    limit < 1_000_000_000
      ? "The disk is nearly full (a tenth of what is free is \(ByteCount.text(limit))):"
      : "All that is kept of conversations may take \(ByteCount.text(limit)):"
  }
}
