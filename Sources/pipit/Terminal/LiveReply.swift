import Inference
import Markdown
import Synchronization

/// A reply on a terminal as it comes: thoughts, Markdown, and a line of figures below.
///
/// Everything is drawn under one lock, by whoever brings an event or by a clock that catches up
/// with the last of them and with changes of the window.
final class LiveReply: Sendable {
  fileprivate struct State {
    var markdown: MarkdownStream
    var thinking: ThinkingView
    var region: LiveRegion
    var status: StatusLine
    /// Progress of reading the prompt; nil once that is over.
    var prefill: String?
    var began: ContinuousClock.Instant?
    var lastDrawn: ContinuousClock.Instant?
    var statusShown = StyledLine()
    var statusDrawn: ContinuousClock.Instant?
    var hasAnswer = false
    var needsDrawing = false
    var isFinished = false
    var failure: SystemError?
  }

  /// Where a model's thoughts go.
  enum Thoughts: Sendable, Equatable {
    case shown(ThinkingDisplay)
    /// To standard error, which is somewhere else.
    case aside
    case none
  }

  private let console: Console
  private let thoughts: Thoughts
  private let showsStatus: Bool
  private let state: Mutex<State>
  private let start = ContinuousClock.now

  /// Drawing more often than this is not seen.
  private static let frame = Duration.milliseconds(30)
  /// Figures that change more often cannot be read.
  private static let statusFrame = Duration.milliseconds(250)
  private static let patience = Duration.milliseconds(300)

  init(console: Console, thoughts: Thoughts, status: StatusLine, showsStatus: Bool) {
    self.console = console
    self.thoughts = thoughts
    var display = ThinkingDisplay.hide
    if case .shown(let chosen) = thoughts { display = chosen }
    self.showsStatus = showsStatus
    let hasStyles = console.outputStyle.hasColor
    state = Mutex(
      State(
        markdown: MarkdownStream(hasStyles: hasStyles),
        thinking: ThinkingView(display: display),
        region: LiveRegion(hasStyles: hasStyles, columns: Descriptor.output.columns),
        status: status))
  }

  /// Runs `body` while the clock runs too.
  func running<Result>(_ body: () async throws -> Result) async throws -> Result {
    let clock = Task.detached { [self] in
      while !Task.isCancelled {
        try? await Task.sleep(for: .milliseconds(50))
        state.withLock { state in
          if !state.isFinished { draw(&state) }
        }
      }
    }
    defer { clock.cancel() }
    return try await body()
  }

  /// Takes one event of a reply to a prompt of so many tokens.
  ///
  /// - Throws: `SystemError` when the terminal cannot be written.
  func show(_ event: GenerationEvent, promptTokens: Int) throws {
    try state.withLock { state in
      state.status.promptTokens = promptTokens
      switch event {
      case .prefill(let done, let total):
        takePrefill(done, total, &state)
      case .reasoning(let text, let tokens):
        state.take(tokens.count)
        takeThought(text, &state)
      case .answer(let text, let tokens):
        state.take(tokens.count)
        takeAnswer(text, &state)
      case .toolCall(_, let tokens):
        state.take(tokens.count)
      case .finished:
        break
      }
      state.needsDrawing = true
      let isDue = state.lastDrawn.map { $0.duration(to: .now) >= Self.frame } ?? true
      if isDue { draw(&state) }
      if let failure = state.failure { throw failure }
    }
  }

  /// Prints what is left, and `summary` as the last line; nothing is drawn after it.
  ///
  /// - Throws: `SystemError` when the terminal cannot be written.
  func finish(summary: StatusLine?) throws {
    try state.withLock { state in
      state.isFinished = true
      let columns = Descriptor.output.columns
      let width = max(columns - 1, 1)
      var rows = state.thinking.finish(width: width, isAnswered: state.hasAnswer)
      rows += state.markdown.finish(width: width)
      if let summary, showsStatus {
        if state.hasAnswer { rows.append(StyledLine()) }
        rows.append(summary.line(columns: width))
      }
      write(state.region.update(settled: rows, open: [], focus: 0, columns: columns), &state)
      if let failure = state.failure { throw failure }
    }
  }

  /// Draws all of it anew, after others had the terminal.
  func redraw() {
    state.withLock { state in
      state.region = LiveRegion(
        hasStyles: console.outputStyle.hasColor, columns: Descriptor.output.columns)
      state.needsDrawing = true
      draw(&state)
    }
  }

  private func takePrefill(_ done: Int, _ total: Int, _ state: inout State) {
    let elapsed = start.duration(to: .now)
    state.status.reusedTokens = max(0, (state.status.promptTokens ?? total) - total)
    guard elapsed >= Self.patience, done < total else {
      state.prefill = nil
      return
    }
    let seconds = elapsed / .seconds(1)
    let remaining = done > 0 ? seconds * Double(total - done) / Double(done) : nil
    state.prefill = prefillSentence(done: done, total: total, remaining: remaining)
  }

  private func takeThought(_ text: String, _ state: inout State) {
    if text.isEmpty { return }
    switch thoughts {
    case .shown: state.thinking.append(ControlFilter.filtered(text))
    case .aside: console.writeAside(text)
    case .none: break
    }
  }

  private func takeAnswer(_ text: String, _ state: inout State) {
    guard !text.isEmpty else { return }
    var text = ControlFilter.filtered(text)
    if !state.hasAnswer {
      text = String(text.drop { $0.isWhitespace })
      if text.isEmpty { return }
      if state.thinking.isThinking {
        let columns = Descriptor.output.columns
        let rows = state.thinking.finish(width: max(columns - 1, 1), isAnswered: true)
        let output = state.region.update(
          settled: rows, open: [], focus: 0, columns: columns)
        write(output, &state)
      }
      state.hasAnswer = true
    }
    state.markdown.append(text)
  }

  private func draw(_ state: inout State) {
    let size = Descriptor.output.size
    let width = max(size.columns - 1, 1)
    let status = statusRow(&state, width: width)
    guard state.needsDrawing || status != state.statusShown || state.region.columns != size.columns
    else { return }
    state.needsDrawing = false
    state.lastDrawn = .now
    state.statusShown = status
    var rows = state.thinking.takeRows(width: width)
    if state.hasAnswer { rows = state.markdown.takeRows(width: width) }
    // What does not fit the screen could not be drawn over.
    let room = max(size.rows - 3, 1)
    var open = Array(rows.open.suffix(room))
    let focus = open.count - 1
    if showsStatus, !status.isEmpty {
      if !open.isEmpty { open.append(StyledLine()) }
      open.append(status)
    }
    let output = state.region.update(
      settled: rows.settled, open: open, focus: max(focus, 0), columns: size.columns)
    write(output, &state)
  }

  private func statusRow(_ state: inout State, width: Int) -> StyledLine {
    guard showsStatus else { return StyledLine() }
    if let prefill = state.prefill { return StyledLine(prefill, .dim).truncated(to: width) }
    let now = ContinuousClock.now
    guard start.duration(to: now) >= Self.patience else { return StyledLine() }
    if let drawn = state.statusDrawn, drawn.duration(to: now) < Self.statusFrame,
      state.statusShown.width <= width
    {
      return state.statusShown
    }
    state.statusDrawn = now
    if let began = state.began {
      let seconds = began.duration(to: now) / .seconds(1)
      let generated = state.status.generatedTokens - 1
      state.status.rate = seconds > 0.2 && generated > 1 ? Double(generated) / seconds : nil
    }
    var line = state.status.line(columns: width)
    if state.thinking.isThinking, let start = state.thinking.start {
      let seconds = start.duration(to: now) / .seconds(1)
      line.append(Span(" · thinking \(Figures.brief(seconds))", .dim))
    }
    return line.truncated(to: width)
  }

  private func write(_ output: String, _ state: inout State) {
    if output.isEmpty { return }
    do throws(SystemError) {
      try console.writeStyled(output)
    } catch {
      state.failure = error
    }
  }
}

extension LiveReply.State {
  /// Counts tokens of the reply.
  fileprivate mutating func take(_ tokens: Int) {
    prefill = nil
    if began == nil { began = .now }
    status.generatedTokens += tokens
  }
}
