import Conversations
import Inference

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
      """
      Nothing is kept unless --save, --continue or --conversation asks for it. A conversation that \
      is open elsewhere is not waited for: the answer then goes into a copy of it.
      """,
    ],
    examples: [
      "pipit run \"Why is the sky blue?\"",
      "git diff | pipit run \"Write a commit message\"",
      "pipit run --json -n 50 --temperature 0 \"Hello\" | jq -r .text",
      "pipit run --save \"Name three rivers.\" && pipit run --continue \"The longest?\"",
    ],
    flags: Flag.named("--no-stdin", "--save", "--continue", "--conversation") + Flag.model
      + Flag.sampling + Flag.thinking + Flag.output,
    run: { invocation in
      let prompt = try readPrompt(invocation)
      let options = invocation.options
      let session = try await invocation.makeSession(
        saving: options.conversation.isSaved || options.conversation.continuesLast,
        forksBusy: true)
      let interrupt = Interrupt()
      Signals.listen { signal in
        if interrupt.note(signal) { session.stop() }
      }
      let console = invocation.console
      let reply = Reply(
        console: console, options: options, session: session, display: invocation.thinkingDisplay)
      let turn: ChatTurn
      do {
        turn = try await reply.show { listener in
          try await session.send(prompt, onEvent: listener)
        }
      } catch {
        for sentence in await session.close() { console.complain(sentence) }
        throw error
      }
      for sentence in await session.close() { console.complain(sentence) }
      reply.report(
        turn,
        showsStatistics: options.statistics
          || (console.errorsAreTerminal && options.form == .text))
      if options.form == .text, console.errorsAreTerminal || options.statistics,
        let id = await reply.keptConversation(turn)
      {
        console.note(ChatWords.kept(id))
      }
      let code = interrupt.exitCode ?? ExitCode(for: turn.statistics.stopReason)
      return code == .done && turn.saveFailure != nil ? .failed : code
    })

  /// Standard input and the words of the command line.
  private static func readPrompt(_ invocation: Invocation) throws -> String {
    var words = invocation.arguments
    let isForced = words.contains { $0.text == "-" && !$0.isLiteral }
    words.removeAll { $0.text == "-" && !$0.isLiteral }
    let typed = words.map(\.text).joined(separator: " ")
    var piped = ""
    let isInput = invocation.options.readsStandardInput && !Descriptor.input.isTerminal
    if isForced || isInput {
      piped = try StandardInput.readText {
        if !typed.isEmpty { invocation.console.note(Sentence.silentInput) }
      }
    }
    let parts = [piped, typed].filter { !$0.allSatisfy(\.isWhitespace) }
    if parts.isEmpty { throw ArgumentError.noPrompt }
    return parts.joined(separator: "\n\n")
  }
}
