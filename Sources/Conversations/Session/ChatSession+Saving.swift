// While a reply grows it is saved at most once a second: whoever is killed then has at least what
// was there a second and the time of one write ago. A small conversation is written whole each
// time. One of some hundred kilobytes would be rewritten for a few words, so its reply goes into a
// small file beside it; the conversation is written when the reply has ended, and whoever opens it
// first puts the two together.

import Inference

/// What of a conversation is still to be saved.
struct SavingState {
  /// Whether something has changed that no file has.
  var isPending = false
  /// The write that is to come, or under way.
  var task: Task<Void, Never>?
  var lastStart: ContinuousClock.Instant?
  /// Bytes of the document when it was last written whole; nil while there is no file.
  var documentSize: Int?
  /// Whether the file has all but the reply that is under way.
  var isBaseWritten = false
  /// Tokens of which what the model has read is in a file.
  var stateTokens = 0
  var failure: (any Error)?

  /// Between two writes of a reply that grows.
  static let interval = Duration.seconds(1)
  /// Bytes of a document above which a reply is written beside it.
  static let largeDocument = 256_000
}

extension ChatSession {
  // MARK: While a reply grows

  /// Has a reply's progress saved within the interval.
  func saveSoon(_ reply: ReplyInProgress) {
    guard storage != nil else { return }
    saving.isPending = true
    guard saving.task == nil else { return }
    let since = saving.lastStart.map { ContinuousClock.now - $0 } ?? SavingState.interval
    let nodeID = reply.nodeID
    saving.task = Task {
      // Whoever cancels this saves everything himself.
      guard (try? await Task.sleep(for: SavingState.interval - since)) != nil else { return }
      await self.saveProgress(of: nodeID)
    }
  }

  private func saveProgress(of nodeID: Int?) async {
    saving.lastStart = .now
    saving.isPending = false
    do {
      try await writeProgress(of: nodeID)
      saving.failure = nil
    } catch {
      saving.failure = error
      saving.isPending = true
    }
    saving.task = nil
    // What came during the write is not left to wait for an event that may not come.
    if saving.isPending, saving.failure == nil, isBusy, let leaf = tree.leaf {
      saveSoon(
        ReplyInProgress(
          parentID: leaf.parentID, tokens: .init(prompt: [], whole: nil, reply: []),
          nodeID: leaf.message.role == .assistant ? leaf.id : nil))
    }
  }

  private func writeProgress(of nodeID: Int?) async throws {
    guard let storage else { return }
    let open = try await openForWriting(storage)
    if saving.isBaseWritten, saving.documentSize ?? 0 > SavingState.largeDocument, let nodeID,
      let node = tree[nodeID]
    {
      return try await storage.writeReply(node.encoded, to: open)
    }
    let document = conversation.encodeDocument()
    try await storage.writeProgress(document, to: open)
    saving.documentSize = document.count
    saving.isBaseWritten = true
  }

  // MARK: All of it

  /// Saves the conversation if something has changed; returns why that failed.
  ///
  /// One without messages has no file.
  func save() async -> (any Error)? {
    saving.task?.cancel()
    await saving.task?.value
    saving.task = nil
    saving.isBaseWritten = false
    guard let storage else { return nil }
    do {
      if tree.nodes.isEmpty {
        if saving.documentSize != nil, let open { try await storage.discard(open) }
        saving.documentSize = nil
      } else {
        let open = try await openForWriting(storage)
        let document = conversation.encodeDocument()
        try await storage.write(document, ConversationSummary(conversation), to: open)
        saving.documentSize = document.count
      }
      saving.isPending = false
      saving.failure = nil
      return nil
    } catch {
      saving.isPending = true
      saving.failure = error
      return error
    }
  }

  /// The right to write the conversation, had from the first time on.
  private func openForWriting(_ storage: ConversationStore) async throws -> OpenConversation {
    if let open { return open }
    let open = try await storage.create(conversation.id)
    self.open = open
    return open
  }

  // MARK: What the model has read

  /// Seconds of reading that are worth a write between turns.
  private static let worthwhileReading = 20.0

  /// Writes what the model has read if reading it again would take long.
  func saveStateIfWorthwhile(_ statistics: Statistics) async {
    guard let speed = statistics.prefillTokensPerSecond, speed > 0 else { return }
    let unsaved = statistics.promptTokens + statistics.generatedTokens - saving.stateTokens
    if Double(unsaved) / speed >= Self.worthwhileReading { _ = await saveState() }
  }

  /// Writes what the model has read of the conversation; returns a sentence if that failed.
  func saveState() async -> String? {
    guard let storage, let sessions = storage.sessions, open != nil,
      let engine = engine as? any ResumableEngine, engine.loaded != nil,
      let history = tree.history(to: tree.leafID), staleness(of: history) == nil,
      history.tokens.count != saving.stateTokens
    else { return nil }
    do {
      let name = conversation.id.description
      try await engine.saveSession(name, of: history.tokens, in: sessions)
      saving.stateTokens = history.tokens.count
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// Takes up what the model had read of the conversation; returns a sentence if there is
  /// something that cannot be used.
  func restoreState() async -> String? {
    guard let sessions = storage?.sessions, let engine = engine as? any ResumableEngine,
      engine.loaded != nil, let history = tree.history(to: tree.leafID),
      staleness(of: history) == nil
    else { return nil }
    do {
      let outcome = try await engine.restoreSession(
        conversation.id.description, of: history.tokens, from: sessions)
      switch outcome {
      case .absent: return nil
      case .restored(let tokens):
        saving.stateTokens = tokens == 0 ? 0 : history.tokens.count
        return nil
      case .unusable(let reason): return reason
      }
    } catch {
      return "\(error)"
    }
  }
}
