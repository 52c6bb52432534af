import Conversations
import Inference
import ModelLibrary

extension Invocation {
  var library: ModelLibrary { ModelLibrary(directories: Directories(environment: environment)) }

  /// Which model the command line, the configuration or the folder of models means.
  func modelReference(_ request: String?) throws -> ModelReference {
    if Engines.isScripted, request == nil {
      return ModelReference(name: "scripted", path: "", options: options.modelOptions)
    }
    let (name, path) = try library.resolve(request)
    return ModelReference(
      name: name, path: path, options: library.options(options.modelOptions, for: name, path: path))
  }

  /// How thoughts are shown on a terminal: what config.json says, else folded.
  var thinkingDisplay: ThinkingDisplay {
    let path = library.directories.config
    guard let word = (try? Configuration(path: path))?.thoughts else { return .fold }
    if let display = ThinkingDisplay(rawValue: word) { return display }
    console.complain(ChatWords.unknownDisplay(word, config: path))
    return .fold
  }

  /// The conversations that are kept.
  var conversations: ConversationStore {
    let directories = library.directories
    return ConversationStore(
      directory: directories.conversations,
      sessions: SessionStore(directory: directories.sessions))
  }

  /// A session with the model loaded, which goes on with a conversation if the flags say so.
  ///
  /// With `forksBusy` one that another process has open is copied rather than refused.
  func makeSession(saving: Bool, forksBusy: Bool = false) async throws -> ChatSession {
    let store = conversations
    var thread: ConversationID?
    if let text = options.conversation.identifier {
      thread = try await store.find(text)
    } else if options.conversation.continuesLast {
      thread = try await store.latest()?.id
    }
    let wanted = if let thread { try await store.load(thread).modelName } else { String?.none }
    let session = ChatSession(
      engine: try await loadEngine(try conversationModel(wanted)), settings: options.chatSettings,
      storage: saving || thread != nil ? store : nil)
    if let thread {
      let report = try await take(thread, session, forksBusy: forksBusy)
      for problem in report.problems { console.complain(problem.description) }
      if let note = report.sessionNote { console.note(note) }
      var settings = await session.settings
      options.override(&settings)
      if settings != (await session.settings) { await session.setSettings(settings) }
    }
    return session
  }

  private func take(
    _ id: ConversationID, _ session: ChatSession, forksBusy: Bool
  ) async throws -> OpenReport {
    do {
      return try await session.open(id)
    } catch let error as ConversationError where forksBusy && error.allowsCopy {
      let report = try await session.fork(of: id)
      console.note(HistoryWords.copied(error, as: report.summary.id))
      return report
    }
  }

  /// The model of the command line, else that of the conversation if it is still there.
  private func conversationModel(_ wanted: String?) throws -> ModelReference {
    if options.model == nil, let wanted, !Engines.isScripted {
      if let model = try? modelReference(wanted) { return model }
      console.note(HistoryWords.modelMissing(wanted))
    }
    return try modelReference(options.model)
  }

  private func loadEngine(_ model: ModelReference) async throws -> any InferenceEngine {
    let engine = try Engines.makeEngine()
    let meter = ProgressMeter(console: console)
    let description = try await engine.load(
      model, budget: memoryBudget
    ) { progress in
      meter.show(progress)
    }
    meter.clear()
    if let remark = Remark.coarseKeys(description) { console.note(remark) }
    if let think = options.think, let remark = Remark.thinking(think, description) {
      console.note(remark)
    }
    return engine
  }
}

extension ConversationError {
  /// Whether the conversation can be copied though it cannot be gone on with.
  fileprivate var allowsCopy: Bool {
    switch self {
    case .inUse, .newerVersion: true
    default: false
    }
  }
}
