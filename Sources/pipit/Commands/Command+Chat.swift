import Conversations
import ModelLibrary

extension Command {
  static let chat = Command(
    name: "chat",
    summary: "talk with a model, turn by turn",
    usage: ["chat [OPTIONS]"],
    discussion: [
      """
      Enter sends the line. A backslash at its end continues the message on the next line, and \
      pasted lines stay together. Ctrl-C stops a reply and keeps what was said; at an empty \
      prompt a second one leaves, as Ctrl-D does. /help lists the commands.
      """,
      """
      When standard input is not a terminal, each line is a turn, commands included, and only \
      the replies go to standard output; the first turn that fails ends it.
      """,
      """
      A turn that outgrows the context is refused. With --overflow drop-oldest the model no longer \
      sees the oldest messages instead, and a line says how many; the system prompt and the last \
      question are always kept.
      """,
      """
      Conversations are kept as they grow; 'pipit history' lists them.
      """,
    ],
    examples: [
      "pipit chat -m smollm2 --system \"Answer in one sentence.\"",
      "pipit chat --continue",
    ],
    flags: Flag.named("--continue", "--conversation") + Flag.model + Flag.conversation
      + Flag.sampling + Flag.thinking + Flag.output,
    run: { invocation in
      try invocation.refuseArguments(after: 0)
      do {
        return try await Chat.run(invocation)
      } catch let error as ConversationError {
        guard let hint = ChatWords.copyHint(error) else { throw error }
        invocation.console.complain(error.description)
        invocation.console.hint(hint)
        return ExitCode(for: error as any Error)
      }
    })
}
