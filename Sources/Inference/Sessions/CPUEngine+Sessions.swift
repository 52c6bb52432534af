package import Tokenizers
import Synchronization
import Transformers
import Weights

extension CPUEngine: ResumableEngine {
  @discardableResult
  package func saveSession(
    _ name: String, of tokens: [TokenID], in store: SessionStore
  ) async throws -> Int {
    let model = try requireModel()
    return try await onQueue {
      let readings = model.promptMemory.withLock { $0.readingsToSave(of: tokens) }
      guard let longest = readings.first else { return 0 }
      try store.write(readings, key: model.sessionKey, name: name)
      return longest.tokens.count
    }
  }

  package func restoreSession(
    _ name: String, of tokens: [TokenID], from store: SessionStore
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
          name, of: tokens, key: model.sessionKey,
          like: model.transformer.emptyState(
            context: model.context, keysAndValues: model.keyValueType))
        model.promptMemory.withLock { $0.resume(readings) }
        return .restored(tokens: readings.first?.usable(for: tokens[...]) ?? 0)
      } catch let error as ArchiveError where error.isMissing {
        return .absent
      } catch {
        return .unusable("\(error)")
      }
    }
  }
}
