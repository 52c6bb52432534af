import Conversations
import Glibc
import Inference
import ModelLibrary
import Synchronization

/// A chat under way: the loop of `pipit chat`, and what its commands act on.
///
/// Used from one task.
final class Chat {
  let invocation: Invocation
  let session: ChatSession
  let input: ChatInput
  var display: ThinkingDisplay
  /// What goes with the next message.
  var attachments: [Attachment] = []
  /// The message that the next one is to take the place of.
  var edited: Int?
  /// What the numbers of the last list stand for.
  var listing: [ConversationID] = []
  /// The command that made it.
  var listingCommand = "/list"
  /// Whether Ctrl-C has cut the reply to the last line.
  private var hasStoppedReply = false
  private let history: InputHistory
  private let interrupt = Interrupt()
  private let typing: TypingMode?
  private let live = LiveSlot()

  var console: Console { invocation.console }
  var options: Options { invocation.options }
  var isInteractive: Bool { Descriptor.input.isTerminal }

  init(_ invocation: Invocation, _ session: ChatSession) {
    self.invocation = invocation
    self.session = session
    display = invocation.thinkingDisplay
    history = InputHistory(path: invocation.library.directories.history)
    // Before the line editor changes anything.
    if Descriptor.input.isTerminal { TerminalGuard.remember() }
    if Descriptor.input.isTerminal,
      let editor = LineEditor(style: invocation.console.outputStyle, history: history.load())
    {
      let completer = ChatCompleter(
        models: { [library = invocation.library] in library.available().map(\.name) },
        conversations: { [storage = session.storage] in
          (try? storage?.listBlocking().summaries) ?? []
        })
      editor.completer = { completer.complete($0) }
      input = .terminal(editor)
      typing = TypingMode()
    } else {
      input = .stream(LineStream())
      typing = nil
    }
  }

  /// Runs the chat with a session of its own, which is closed whatever happens.
  static func run(_ invocation: Invocation) async throws -> ExitCode {
    let session = try await invocation.makeSession(saving: true)
    do {
      let code = try await Chat(invocation, session).converse()
      let problems = await session.close()
      for sentence in problems { invocation.console.complain(sentence) }
      return code == .done && !problems.isEmpty ? .failed : code
    } catch {
      for sentence in await session.close() { invocation.console.complain(sentence) }
      throw error
    }
  }

  private func converse() async throws -> ExitCode {
    if isInteractive { await greet() }
    var wasInterrupted = false
    while true {
      interrupt.settle()
      listenWhileReading()
      switch try input.next() {
      case .end:
        if isInteractive { console.say("") }
        return interrupt.exitCode ?? .done
      case .terminated:
        return .terminated
      case .interrupted(let hadText):
        if wasInterrupted, !hadText { return .interrupted }
        wasInterrupted = !hadText
        edited = nil
        if !hadText { console.note(ChatWords.pressAgain) }
      case .line(let line):
        wasInterrupted = false
        if line.allSatisfy(\.isWhitespace) { continue }
        remember(line)
        if case .leave(let code) = try await take(line) { return code }
        if let code = interrupt.exitCode {
          if code == .terminated || !isInteractive { return code }
          wasInterrupted = true
          // The reply had ended just before: whoever means to stop it must not be out with the next.
          if !hasStoppedReply { console.note(ChatWords.pressAgain) }
        }
      }
    }
  }

  private func greet() async {
    let isEmpty = await session.tree.nodes.isEmpty
    let isFirst = isEmpty && history.load().isEmpty
    if let model = session.engine.loaded {
      console.note(
        ChatWords.greeting(model, context: session.engine.contextLength, namesHelp: !isFirst))
    }
    if !isEmpty { await recall() }
    if isFirst { console.note(ChatWords.firstRun) }
  }

  private func remember(_ line: String) {
    guard isInteractive, case .terminal(let editor) = input else { return }
    editor.remember(line)
    history.append(line)
  }

  /// While a line is edited signals wake the editor; off a terminal they end the process.
  private func listenWhileReading() {
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

  /// While a command or a reply is under way a signal stops it, and after a suspension the
  /// terminal is set and drawn again.
  private func listenWhileWorking() {
    Signals.listen { [interrupt, session, typing, live] signal in
      if interrupt.note(signal) { session.stop() }
      if signal == SIGCONT {
        typing?.apply()
        live.current?.redraw()
      }
    }
    session.forgetStop()
  }

  /// A line is a command or a message.
  ///
  /// On a terminal a failure is told and the chat goes on.
  private func take(_ line: String) async throws -> ChatCommand.Step {
    listenWhileWorking()
    hasStoppedReply = false
    typing?.begin()
    defer {
      if let typing, case .terminal(let editor) = input { editor.takeTypedAhead(typing.end()) }
    }
    do {
      if let (command, argument) = try ChatCommand.parse(line) {
        return try await command.run(self, argument)
      }
      try await send(line.first == " " ? String(line.drop { $0 == " " }) : line)
      return .next
    } catch {
      if let failure = error as? SystemError, failure.operation == .write { throw error }
      if !isInteractive { throw error }
      if let sentence = Sentence.of(error) { console.complain(sentence) }
      if case MemoryRefusal.context = error { console.note(ChatWords.contextIsFull) }
      return .next
    }
  }

  private func send(_ line: String) async throws {
    let message = attachments.map(\.block).joined() + line
    let target = edited
    edited = nil
    try await reply { [session] listener in
      if let target {
        try await session.edit(message: target, as: message, onEvent: listener)
      } else {
        try await session.send(message, onEvent: listener)
      }
    }
    attachments = []
  }

  /// Has a reply made and shows it.
  func reply(_ action: Reply.Action) async throws {
    var reply = Reply(console: console, options: options, session: session, display: display)
    reply.hasSummary = isInteractive && !options.statistics
    reply.onLive = { [live] in live.current = $0 }
    defer { live.current = nil }
    let turn = try await reply.show(action)
    hasStoppedReply = turn.statistics.stopReason == .cancelled
    if hasStoppedReply, isInteractive {
      let hasBegun = !turn.reply.content.isEmpty || turn.isOnlyReasoning
      console.note(hasBegun ? ChatWords.stoppedReply : ChatWords.stopped)
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
}

/// The drawing that is under way, for the thread that hears signals.
private final class LiveSlot: Sendable {
  private let slot = Mutex<LiveReply?>(nil)

  var current: LiveReply? {
    get { slot.withLock { $0 } }
    set { slot.withLock { $0 = newValue } }
  }
}

/// A reply off a terminal that ended as a failure; what there was to say has been said.
struct ReplyCutShort: Error {
  let code: ExitCode
}
