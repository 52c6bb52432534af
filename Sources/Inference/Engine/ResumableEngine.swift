package import Tokenizers

/// An engine that keeps what it has read of a conversation beyond a run.
package protocol ResumableEngine: InferenceEngine {
  /// Writes what is there of a conversation's tokens, for a later run not to read it again; returns
  /// for how many of them, and writes nothing for none.
  ///
  /// Waits for a reply that is being generated.
  ///
  /// - Throws: `EngineError.notLoaded`, or why it cannot be written: `SessionError`, `ArchiveError`.
  @discardableResult
  func saveSession(
    _ name: String, of tokens: [TokenID], in store: SessionStore
  ) async throws -> Int

  /// Takes up what was written, as far as it is of a conversation's tokens.
  ///
  /// Never an answer's undoing: what is wrong with the file is returned as a sentence, and the next
  /// prompt is read as if there were none.
  ///
  /// - Throws: `EngineError.notLoaded`.
  func restoreSession(
    _ name: String, of tokens: [TokenID], from store: SessionStore
  ) async throws -> SessionOutcome
}

/// What became of a session that was to be taken up.
package enum SessionOutcome: Sendable, Hashable {
  /// There is none of that name.
  case absent
  /// So many of the tokens need not be read again.
  case restored(tokens: Int)
  /// It is of no use; the reason is a sentence.
  case unusable(String)
}
