import Inference
import Synchronization

/// Prints a reply as it comes: the answer to standard output, thoughts to standard error.
final class ReplyPrinter: Sendable {
  private enum Part { case nothing, reasoning, answer }

  private struct State {
    var part = Part.nothing
    /// Whether the answer on standard output has ended with a newline so far.
    var endsWithNewline = true
    /// The same of the thoughts on standard error.
    var asideEndsWithNewline = true
  }

  private let console: Console
  private let showsReasoning: Bool
  private let meter: ProgressMeter
  private let state = Mutex(State())

  init(console: Console, showsReasoning: Bool) {
    self.console = console
    self.showsReasoning = showsReasoning
    meter = ProgressMeter(console: console)
  }

  /// Shows one event.
  ///
  /// - Throws: `SystemError` when standard output cannot be written.
  func show(_ event: GenerationEvent) throws {
    switch event {
    case .prefill(let done, let total):
      meter.showPrefill(done: done, total: total)
    case .reasoning(let text, _):
      if showsReasoning, !text.isEmpty { showReasoning(text) }
    case .answer(let text, _):
      if !text.isEmpty { try showAnswer(text) }
    case .toolCall, .finished:
      break
    }
  }

  /// Ends the reply with a newline, unless nothing was said or it has one.
  func finish() throws {
    meter.clear()
    endReasoning()
    let endsWithNewline = state.withLock { $0.endsWithNewline }
    if !endsWithNewline { try console.write("\n") }
    state.withLock { $0 = State() }
  }

  private func showReasoning(_ text: String) {
    console.writeAside(text)
    state.withLock { state in
      state.part = .reasoning
      state.asideEndsWithNewline = text.hasSuffix("\n")
    }
  }

  private func endReasoning() {
    let ending = state.withLock { state -> String? in
      guard state.part == .reasoning else { return nil }
      state.part = .answer
      return state.asideEndsWithNewline ? "" : "\n"
    }
    guard let ending else { return }
    // A blank line sets the answer off where both streams meet on one terminal.
    console.writeAside(ending + (console.outputIsTerminal && console.errorsAreTerminal ? "\n" : ""))
  }

  private func showAnswer(_ text: String) throws {
    endReasoning()
    try console.write(text)
    state.withLock { state in
      state.part = .answer
      state.endsWithNewline = text.hasSuffix("\n")
    }
  }
}
