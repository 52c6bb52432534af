import Synchronization
import Transformers
import Weights

extension CPUEngine {
  /// Writes what the model has read last, so that a later run need not read it again; returns for
  /// how many tokens, which may be none.
  ///
  /// Waits for a reply that is being generated.
  ///
  /// - Throws: `EngineError.notLoaded`, or why it cannot be written: `SessionError`, `ArchiveError`.
  @discardableResult
  package func saveSession(_ name: String, in store: SessionStore) async throws -> Int {
    let model = try requireModel()
    return try await onQueue {
      try model.promptMemory.withLock { memory in
        guard !memory.live.tokens.isEmpty else { return 0 }
        try store.write(memory.readingsToSave, key: model.sessionKey, name: name)
        return memory.live.tokens.count
      }
    }
  }

  /// Takes up a session that was written, for the prompts that follow to begin with.
  ///
  /// Never an answer's undoing: what is wrong with the file is returned as a sentence, and the next
  /// prompt is read as if there were none.
  ///
  /// - Throws: `EngineError.notLoaded`.
  package func restoreSession(
    _ name: String, from store: SessionStore
  ) async throws -> SessionOutcome {
    let model = try requireModel()
    let budget = budget
    return try await onQueue {
      do {
        if let size = store.byteCount(name), let available = budget.machine().available,
          size > available, !budget.isForced
        {
          throw SessionError.noMemory(size, available: available)
        }
        let readings = try store.read(
          name, key: model.sessionKey,
          like: model.transformer.emptyState(
            context: model.context, keysAndValues: model.keyValueType))
        return model.promptMemory.withLock { memory in
          memory.resume(readings)
          return .restored(tokens: memory.live.tokens.count)
        }
      } catch let error as ArchiveError where error.isMissing {
        return .absent
      } catch {
        return .unusable("\(error)")
      }
    }
  }
}

/// What became of a session that was to be taken up.
package enum SessionOutcome: Sendable, Hashable {
  /// There is none of that name.
  case absent
  /// So many tokens need not be read again, if a prompt begins with them.
  case restored(tokens: Int)
  /// It is of no use; the reason is a sentence.
  case unusable(String)
}
