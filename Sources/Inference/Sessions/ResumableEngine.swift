package import Tokenizers

/// An engine that keeps what it has read beyond a run.
package protocol ResumableEngine: InferenceEngine {
  /// Writes the longest state that is there of `tokens`, and returns for how many tokens.
  @discardableResult
  func saveSession(
    _ name: String, of tokens: [TokenID], in store: SessionStore
  ) async throws -> Int

  /// Takes up what was saved, as far as it is of `tokens`; never throws for a bad file.
  func restoreSession(
    _ name: String, of tokens: [TokenID], from store: SessionStore
  ) async throws -> SessionOutcome
}

extension CPUEngine: ResumableEngine {
  @discardableResult
  package func saveSession(
    _ name: String, of tokens: [TokenID], in store: SessionStore
  ) async throws -> Int {
    try await saveSession(name, in: store)
  }

  package func restoreSession(
    _ name: String, of tokens: [TokenID], from store: SessionStore
  ) async throws -> SessionOutcome {
    try await restoreSession(name, from: store)
  }
}
