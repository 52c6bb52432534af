import Conversations
import Glibc
import Inference
import Synchronization

extension Command {
  static let run = Command(
    name: "run",
    summary: "answer one prompt and exit",
    usage: ["run [OPTIONS] [PROMPT…]", "run [OPTIONS] - [PROMPT…]"],
    discussion: [
      """
      The answer goes to standard output as it comes, and nothing else does. Thoughts, progress \
      and statistics go to standard error, when it is a terminal or an option asks for them.
      """,
      """
      Standard input, when it is a pipe or a file, is read first and put before the prompt. A \
      lone - reads it from a terminal too. The words of the prompt are joined by spaces; after \
      -- they may begin with a dash.
      """,
      "Ctrl-C stops the answer, keeps what was said and exits with 130.",
    ],
    examples: [
      "pipit run \"Why is the sky blue?\"",
      "git diff | pipit run \"Write a commit message\"",
      "pipit run --json -n 50 --temperature 0 \"Hello\" | jq -r .text",
    ],
    flags: Flag.named("--no-stdin") + Flag.model + Flag.sampling + Flag.thinking + Flag.output,
    run: { try await Run(invocation: $0).callAsFunction() })
}

/// One prompt, one answer.
private struct Run {
  let invocation: Invocation

  private var options: Options { invocation.options }
  private var console: Console { invocation.console }

  func callAsFunction() async throws -> ExitCode {
    let prompt = try readPrompt()
    let session = try await invocation.makeSession()
    let interrupt = Interrupt()
    Signals.listen { signal in
      if interrupt.note(signal) { session.stop() }
    }
    let turn: ChatTurn
    switch options.form {
    case .json: turn = try await answerJSON(session, prompt)
    case .ndjson: turn = try await answerEvents(session, prompt)
    case .text, .csv: turn = try await answerText(session, prompt)
    }
    report(turn)
    return interrupt.exitCode ?? ExitCode(for: turn.statistics.stopReason)
  }

  /// Standard input and the words of the command line.
  private func readPrompt() throws -> String {
    var words = invocation.arguments
    let isForced = words.contains { $0.text == "-" && !$0.isLiteral }
    words.removeAll { $0.text == "-" && !$0.isLiteral }
    let typed = words.map(\.text).joined(separator: " ")
    var piped = ""
    let kind = Descriptor.input.kind
    if isForced || (options.readsStandardInput && kind != .terminal) {
      piped = try StandardInput.readText {
        if !typed.isEmpty { console.note(Sentence.silentInput) }
      }
    }
    let parts = [piped, typed].filter { !$0.allSatisfy(\.isWhitespace) }
    if parts.isEmpty { throw ArgumentError.noPrompt }
    return parts.joined(separator: "\n\n")
  }

  private func answerText(_ session: ChatSession, _ prompt: String) async throws -> ChatTurn {
    let showsReasoning = !options.quiet && (console.errorsAreTerminal || options.think == true)
    let printer = ReplyPrinter(console: console, showsReasoning: showsReasoning)
    do {
      let turn = try await session.send(prompt) { event in try printer.show(event) }
      try printer.finish()
      return turn
    } catch {
      if !((error as? SystemError)?.isClosedPipe ?? false) { try printer.finish() }
      throw error
    }
  }

  private func answerJSON(_ session: ChatSession, _ prompt: String) async throws -> ChatTurn {
    let meter = ProgressMeter(console: console)
    let turn = try await session.send(prompt) { event in
      if case .prefill(let done, let total) = event { meter.showPrefill(done: done, total: total) }
    }
    meter.clear()
    let object = JSONText.turn(turn, model: session.engine.loaded, options: options)
    try console.write(object.text + "\n")
    return turn
  }

  private func answerEvents(_ session: ChatSession, _ prompt: String) async throws -> ChatTurn {
    let console = console
    return try await session.send(prompt) { event in
      try console.write(JSONText.event(event).text + "\n")
    }
  }

  /// What standard error says after the answer.
  private func report(_ turn: ChatTurn) {
    let reason = turn.statistics.stopReason
    if reason == .length, turn.isOnlyReasoning {
      console.note(Remark.onlyReasoning)
    } else if reason == .memory {
      console.complain(reason.remark ?? "")
    } else if let remark = reason.remark, console.errorsAreTerminal || options.statistics {
      console.note(remark)
    }
    let isWanted = options.statistics || (console.errorsAreTerminal && options.form == .text)
    if isWanted { console.note(turn.statistics.line) }
  }
}

/// The first signal that asked for an end.
private final class Interrupt: Sendable {
  private let signal = Atomic<Int32>(0)

  /// Whether the signal is one to stop for.
  func note(_ number: Int32) -> Bool {
    guard number == SIGINT || number == SIGTERM else { return false }
    _ = signal.compareExchange(expected: 0, desired: number, ordering: .relaxed)
    return true
  }

  var exitCode: ExitCode? {
    switch signal.load(ordering: .relaxed) {
    case SIGINT: .interrupted
    case SIGTERM: .terminated
    default: nil
    }
  }
}
