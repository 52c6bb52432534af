import Conversations
import Glibc
import Inference
import ModelLibrary
import Synchronization

/// The loop of `pipit chat`.
struct Chat {
  let invocation: Invocation

  private var console: Console { invocation.console }
  private var options: Options { invocation.options }
  private var isInteractive: Bool { Descriptor.input.isTerminal }

  /// How the loop goes on after a line.
  private enum Step {
    case next
    case leave(ExitCode)
  }

  func callAsFunction() async throws -> ExitCode {
    let session = try await invocation.makeSession(saving: true)
    do {
      let code = try await converse(session)
      for sentence in await session.close() { console.complain(sentence) }
      return code
    } catch {
      for sentence in await session.close() { console.complain(sentence) }
      throw error
    }
  }

  private func converse(_ session: ChatSession) async throws -> ExitCode {
    let history = InputHistory(path: invocation.library.directories.history)
    let input = makeInput(history)
    let interrupt = Interrupt()
    if isInteractive, let model = session.engine.loaded {
      console.note(ChatWords.greeting(model, context: session.engine.contextLength))
    }
    var wasInterrupted = false
    while true {
      interrupt.settle()
      listenWhileReading(input, interrupt)
      switch input.next() {
      case .end:
        if isInteractive { console.say("") }
        return interrupt.exitCode ?? .done
      case .terminated:
        return .terminated
      case .interrupted(let hadText):
        if wasInterrupted, !hadText { return .interrupted }
        wasInterrupted = !hadText
        if !hadText { console.note(ChatWords.pressAgain) }
      case .line(let line):
        wasInterrupted = false
        if line.allSatisfy(\.isWhitespace) { continue }
        if isInteractive, case .terminal(let editor) = input {
          editor.remember(line)
          history.append(line)
        }
        Signals.listen { signal in
          if interrupt.note(signal) { session.stop() }
        }
        session.forgetStop()
        if case .leave(let code) = try await take(line, session) { return code }
        if let code = interrupt.exitCode {
          if code == .terminated || !isInteractive { return code }
          wasInterrupted = true
        }
      }
    }
  }

  private func makeInput(_ history: InputHistory) -> ChatInput {
    if isInteractive,
      let editor = LineEditor(style: console.outputStyle, history: history.load())
    {
      return .terminal(editor)
    }
    return .stream(LineStream())
  }

  /// While a line is edited signals wake the editor; off a terminal they end the process.
  private func listenWhileReading(_ input: ChatInput, _ interrupt: Interrupt) {
    guard case .terminal(let editor) = input else {
      Signals.listen(nil)
      return
    }
    let wake = editor.waker
    Signals.listen { signal in
      Signals.settle()
      wake(signal)
    }
  }

  /// A line is a command or a message.
  ///
  /// On a terminal a failure is told and the chat goes on.
  private func take(_ line: String, _ session: ChatSession) async throws -> Step {
    do {
      if let command = try SlashCommand(line) {
        return try await obey(command, session)
      }
      let message = line.first == " " ? String(line.drop { $0 == " " }) : line
      try await reply(session) { listener in
        try await session.send(message, onEvent: listener)
      }
      return .next
    } catch {
      if let failure = error as? SystemError, failure.operation == .write { throw error }
      if !isInteractive { throw error }
      if let sentence = Sentence.of(error) { console.complain(sentence) }
      if case MemoryRefusal.context = error { console.note(ChatWords.contextIsFull) }
      return .next
    }
  }

  private func reply(_ session: ChatSession, _ action: Reply.Action) async throws {
    let reply = Reply(console: console, options: options, session: session)
    let turn = try await reply.show(action)
    if turn.statistics.stopReason == .cancelled, isInteractive {
      console.note(ChatWords.stopped)
    }
    reply.report(turn, showsStatistics: options.statistics)
    if let failure = turn.saveFailure, let sentence = Sentence.of(failure) {
      console.complain(sentence)
    }
    if isInteractive, console.outputIsTerminal, options.form == .text {
      try console.write("\n")
    }
    if !isInteractive {
      let code = ExitCode(for: turn.statistics.stopReason)
      if code == .memoryRefused || code == .failed { throw ReplyCutShort(code: code) }
    }
  }

  private func obey(_ command: SlashCommand, _ session: ChatSession) async throws -> Step {
    switch command {
    case .help: console.say(ChatWords.help)
    case .exit: return .leave(.done)
    case .clear:
      for sentence in try await session.startNew() { console.complain(sentence) }
      console.note(ChatWords.cleared)
    case .regenerate:
      try await reply(session) { listener in
        try await session.regenerate(onEvent: listener)
      }
    case .statistics: await showStatistics(session)
    case .think: await setThinking(true, session)
    case .fast: await setThinking(false, session)
    case .showSystem:
      console.say(await session.settings.system ?? ChatWords.noSystem)
    case .setSystem(let text):
      await session.setSystem(text)
      console.note(ChatWords.systemChanged)
    case .showModels: showModels(session)
    case .loadModel(let name): try await loadModel(name, session)
    }
    return .next
  }

  private func showStatistics(_ session: ChatSession) async {
    guard let turn = await session.lastTurn else {
      console.say(ChatWords.noStatistics)
      return
    }
    let statistics = turn.statistics
    let used = statistics.promptTokens + statistics.generatedTokens
    let lines =
      statistics.lines + [ChatWords.context(used: used, of: session.engine.contextLength)]
    console.say(lines.joined(separator: "\n"))
  }

  private func setThinking(_ isThinking: Bool, _ session: ChatSession) async {
    await session.setThinking(isThinking)
    if let model = session.engine.loaded, let remark = Remark.thinking(isThinking, model) {
      console.note(remark)
    } else {
      console.note(isThinking ? ChatWords.thinking : ChatWords.fast)
    }
  }

  private func showModels(_ session: ChatSession) {
    let current = session.engine.loaded?.name
    let names = invocation.library.installed().map(\.name)
    let all = current.map { names.contains($0) ? names : [$0] + names } ?? names
    console.say(all.map { ($0 == current ? "* " : "  ") + $0 }.joined(separator: "\n"))
  }

  private func loadModel(_ name: String, _ session: ChatSession) async throws {
    do {
      let model = try invocation.modelReference(name)
      let meter = ProgressMeter(console: console)
      defer { meter.clear() }
      let description = try await session.loadModel(
        model, budget: invocation.memoryBudget
      ) { progress in
        meter.show(progress)
      }
      console.note(ChatWords.modelChanged(description))
    } catch {
      if !isInteractive { throw error }
      if let sentence = Sentence.of(error) { console.complain(sentence) }
      console.note(ChatWords.oldModelKept)
    }
  }
}

/// A reply off a terminal that ended as a failure; what there was to say has been said.
struct ReplyCutShort: Error {
  let code: ExitCode
}
