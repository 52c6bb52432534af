extension ConversationStore {
  /// All conversations; those in the trash only if asked for.
  ///
  /// Reads the index and of the documents only those that have changed since.
  ///
  /// - Throws: `StoreFailure` when the folder cannot be read.
  package func list(includingDeleted: Bool = false) throws -> ConversationList {
    var problems: [StoreProblem] = []
    let names = try files.names()
    let old = readIndex(&problems)
    var index = ConversationIndex()
    for name in names {
      if let id = StoreNames.lockID(name) { removeLeftovers(id) }
      guard let id = StoreNames.documentID(name) else { continue }
      do {
        guard let status = try files.status(name) else { continue }
        if let entry = old?.entries[id], entry.status == status {
          index.entries[id] = entry
          continue
        }
        let found = try examine(id, isLocked: false)
        problems += found.problems
        index.entries[id] = ConversationIndex.Entry(
          summary: ConversationSummary(found.conversation), status: found.status)
      } catch let error as ConversationError {
        if let problem = problem(error) { problems.append(problem) }
      } catch let error as StoreFailure {
        problems.append(.unreadable(error))
      }
    }
    if index.entries != old?.entries ?? [:], old?.isReadOnly != true { writeIndex(index) }
    let summaries = index.entries.values.map(\.summary)
    return ConversationList(
      includingDeleted ? summaries : summaries.filter { $0.deleted == nil }, problems: problems)
  }

  /// `list()` for callers that cannot suspend: holds the calling thread meanwhile.
  ///
  /// - Throws: `StoreFailure`.
  package nonisolated func listBlocking() throws -> ConversationList {
    try executor.sync { try assumeIsolated { store in try store.list() } }
  }

  /// The conversation in which something was said last; nil when there is none.
  ///
  /// - Throws: `StoreFailure`.
  package func latest() throws -> ConversationSummary? {
    try list().summaries.max { $0.updated < $1.updated }
  }

  /// The conversation that an identifier, or the beginning of one, means.
  ///
  /// - Throws: `ConversationError.notFound`, `ConversationError.ambiguous`, `StoreFailure`.
  package func find(_ text: String) throws -> ConversationID {
    let beginning = text.lowercased()
    let ids = try files.names().compactMap(StoreNames.documentID)
      .filter { !beginning.isEmpty && $0.description.hasPrefix(beginning) }
    guard let first = ids.first else { throw ConversationError.notFound(text) }
    if ids.count > 1 { throw ConversationError.ambiguous(text, count: ids.count) }
    return first
  }

  private func problem(_ error: ConversationError) -> StoreProblem? {
    switch error {
    case .damaged(_, let path?): .setAside(path: path, kept: nil)
    case .damaged(let id, nil): .damaged(path: files.path(StoreNames.document(id)))
    // It was purged in the meantime.
    default: nil
    }
  }

  /// Removes what a process that was killed has left beside a conversation.
  private func removeLeftovers(_ id: ConversationID) {
    guard let open = try? lock(id) else { return }
    withExtendedLifetime(open) {
      for name in [StoreNames.document(id), StoreNames.reply(id)] {
        try? files.remove(name + DurableStore.unfinishedSuffix)
      }
    }
  }

  // MARK: The index

  /// How long another process's hold on the index is waited for, in milliseconds.
  private static let patience = 100

  private func readIndex(_ problems: inout [StoreProblem]) -> ConversationIndex? {
    do {
      guard let bytes = try files.read(StoreNames.index) else { return nil }
      do throws(DocumentError) {
        return try ConversationIndex(bytes)
      } catch {
        guard let lock = try files.lock(StoreNames.indexLock, waiting: Self.patience) else {
          return nil
        }
        try withExtendedLifetime(lock) {
          guard try files.read(StoreNames.index) == bytes else { return }
          let aside = try files.setAside(StoreNames.index, at: .now)
          problems.append(.setAside(path: files.path(aside), kept: nil))
        }
      }
    } catch let error as StoreFailure {
      problems.append(.unreadable(error))
    } catch {
      return nil
    }
    return nil
  }

  /// Writes the index, unless another process keeps it or it cannot be written: it can be made
  /// again at any time.
  private func writeIndex(_ index: ConversationIndex) {
    guard let lock = try? files.lock(StoreNames.indexLock, waiting: Self.patience) else { return }
    withExtendedLifetime(lock) {
      _ = try? files.write(StoreNames.index, index.document())
    }
  }

  /// Puts one line of the index right; nil takes it away.
  func updateIndex(_ id: ConversationID, _ summary: ConversationSummary?) throws {
    guard let lock = try files.lock(StoreNames.indexLock, waiting: Self.patience) else { return }
    try withExtendedLifetime(lock) {
      let entry = try summary.flatMap { summary in
        try files.status(StoreNames.document(id)).map {
          ConversationIndex.Entry(summary: summary, status: $0)
        }
      }
      let bytes = try files.read(StoreNames.index) ?? ConversationIndex().document()
      if let changed = ConversationIndex.document(bytes, setting: id, to: entry) {
        try files.write(StoreNames.index, changed)
      }
    }
  }
}
