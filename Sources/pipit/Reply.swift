import JSON
import Conversations
import Inference

/// Shows one reply in the form that the options ask for.
struct Reply: Sendable {
  let console: Console
  let options: Options
  let session: ChatSession
  var display = ThinkingDisplay.fold
  /// Whether a line of figures stays below the reply.
  var hasSummary = false
  /// Hears of the drawing, to have it done again after others had the terminal.
  var onLive: (@Sendable (LiveReply) -> Void)?

  /// What makes the reply, given who listens.
  typealias Action = (@escaping @Sendable (GenerationEvent) throws -> Void) async throws -> ChatTurn

  /// Shows the reply as it comes.
  ///
  /// - Throws: what `action` throws, and `SystemError` when standard output cannot be written.
  func show(_ action: Action) async throws -> ChatTurn {
    switch options.form {
    case .json: try await showObject(action)
    case .ndjson: try await showEvents(action)
    case .text, .csv: try await showText(action)
    }
  }

  private func showText(_ action: Action) async throws -> ChatTurn {
    guard isLive else { return try await showRaw(action) }
    let live = LiveReply(
      console: console, thoughts: thoughts,
      status: StatusLine(
        model: session.engine.loaded?.name ?? "", contextLength: session.engine.contextLength),
      showsStatus: console.errorsAreTerminal && !options.quiet)
    onLive?(live)
    do {
      let session = session
      let turn = try await live.running {
        try await action { event in try live.show(event, promptTokens: session.promptTokens) }
      }
      try live.finish(
        summary: hasSummary && turn.statistics.generatedTokens > 0
          ? StatusLine(
            model: session.engine.loaded?.name ?? "", contextLength: session.engine.contextLength,
            turn.statistics) : nil)
      return turn
    } catch {
      if !(error is SystemError) { try live.finish(summary: nil) }
      throw error
    }
  }

  /// Whether the answer is laid out: only on a terminal that can draw over what is there.
  private var isLive: Bool {
    console.outputIsTerminal && Style.terminalHasEscapes && !options.isRawText
  }

  private var thoughts: LiveReply.Thoughts {
    if options.quiet { return .none }
    if console.errorsAreTerminal { return .shown(display) }
    return options.think == true ? .aside : .none
  }

  /// The text as it comes.
  private func showRaw(_ action: Action) async throws -> ChatTurn {
    let showsReasoning =
      !options.quiet && display != .hide && (console.errorsAreTerminal || options.think == true)
    let printer = ReplyPrinter(console: console, showsReasoning: showsReasoning)
    do {
      let turn = try await action { event in try printer.show(event) }
      try printer.finish()
      return turn
    } catch {
      if !((error as? SystemError)?.isClosedPipe ?? false) { try printer.finish() }
      throw error
    }
  }

  private func showObject(_ action: Action) async throws -> ChatTurn {
    let meter = ProgressMeter(console: console)
    defer { meter.clear() }
    let turn = try await action { event in
      if case .prefill(let done, let total) = event { meter.showPrefill(done: done, total: total) }
    }
    let object = JSONValue.turn(
      turn, model: session.engine.loaded, conversation: await keptConversation(turn),
      await session.settings, options: options)
    try console.write(object.text + "\n")
    return turn
  }

  private func showEvents(_ action: Action) async throws -> ChatTurn {
    let console = console
    let turn = try await action { event in
      try console.write(JSONValue.event(event).text + "\n")
    }
    if let id = await keptConversation(turn) {
      try console.write(JSONValue.kept(id).text + "\n")
    }
    return turn
  }

  /// The conversation whose file has the turn.
  func keptConversation(_ turn: ChatTurn) async -> ConversationID? {
    guard turn.saveFailure == nil, let info = await session.info, info.isSaved else { return nil }
    return info.id
  }

  /// What standard error says after the reply: why it was cut short, and its figures.
  func report(_ turn: ChatTurn, showsStatistics: Bool) {
    if let dropped = turn.dropped { console.complain(dropped.sentence) }
    if let setAside = turn.setAside { console.note(setAside.sentence) }
    let reason = turn.statistics.stopReason
    if reason == .context {
      // Nobody asked for it, so whoever reads only the answer has to hear of it too.
      console.note(
        Remark.contextIsFull(
          session.engine.contextLength, model: session.engine.loaded,
          isOnlyReasoning: turn.isOnlyReasoning))
    } else if reason == .length, turn.isOnlyReasoning {
      console.note(Remark.onlyReasoning)
    } else if reason == .memory || reason == .heat {
      console.complain(turn.statistics.stopNote ?? reason.remark ?? "")
    } else if let remark = reason.remark, console.errorsAreTerminal || options.statistics {
      console.note(remark)
    }
    if showsStatistics { console.note(turn.statistics.line) }
    if options.statistics, let memory = turn.statistics.memoryLine { console.note(memory) }
  }
}
