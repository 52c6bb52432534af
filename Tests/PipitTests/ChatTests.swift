import Foundation
import Glibc
import Testing

/// A chat on a terminal, typed and read through a pseudoterminal.
@Suite(.serialized) struct ChatTests {
  @Test func turnsFollowEachOther() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["Hello, 世界!"], ["And again."]], "record": "RECORD"}"#,
      recording: true)
    let terminal = try PseudoTerminal(binary, ["chat"])
    #expect(terminal.expect("> "))
    terminal.type("hi 漢字 👋\r")
    #expect(terminal.expect("Hello, 世界!"))
    #expect(terminal.expect("> "))
    terminal.type("more\r")
    #expect(terminal.expect("And again."))
    #expect(terminal.expect("> "))
    terminal.type("/stats\r")
    #expect(terminal.expect("reused"))
    #expect(terminal.expect("> "))
    terminal.type("\u{4}")
    #expect(terminal.finish() == 0)
    let prompts = binary.record.filter { $0.contains("prompt") }
    #expect(prompts.first?.contains(#"user\nhi 漢字 👋<|im_end|>"#) == true)
    #expect(prompts.last?.contains(#"Hello, 世界!<|im_end|>\n<|im_start|>user\nmore"#) == true)
    #expect(try String(contentsOfFile: binary.home + "/history", encoding: .utf8).hasPrefix("hi 漢"))
    let mode = try FileManager.default.attributesOfItem(atPath: binary.home + "/history")
    #expect((mode[.posixPermissions] as? NSNumber)?.intValue == 0o600)
  }

  @Test func theFirstGreetingNamesHelpOnce() throws {
    let binary = try BuiltBinary(script: #"{"replies": [["ok"]]}"#)
    for run in 1...2 {
      let terminal = try PseudoTerminal(binary, ["chat"])
      #expect(terminal.expect("> "))
      terminal.type("hi\r")
      #expect(terminal.expect("ok"))
      #expect(terminal.expect("> "))
      terminal.type("\u{4}")
      #expect(terminal.finish() == 0)
      #expect(terminal.shown.text.split(separator: "/help lists the commands").count == 2, "\(run)")
    }
  }

  @Test func aPasteIsOneMessage() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["ok"]], "record": "RECORD"}"#, recording: true)
    let terminal = try PseudoTerminal(binary, ["chat"])
    #expect(terminal.expect("> "))
    terminal.paste((1...50).map { "line \($0) \u{1B}漢字" }.joined(separator: "\r") + "\r")
    #expect(terminal.expect("line 50"))
    terminal.type("\r")
    #expect(terminal.expect("ok"))
    #expect(terminal.expect("> "))
    terminal.type("\u{4}")
    #expect(terminal.finish() == 0)
    let prompts = binary.record.filter { $0.contains("prompt") }
    #expect(prompts.count == 1)
    #expect(prompts.first?.contains(#"user\nline 1 漢字\nline 2 漢字\n"#) == true)
    #expect(prompts.first?.contains(#"line 50 漢字<|im_end|>"#) == true)
  }

  @Test func anUnknownCommandIsNotSent() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["ok"]], "record": "RECORD"}"#, recording: true)
    let terminal = try PseudoTerminal(binary, ["chat"])
    #expect(terminal.expect("> "))
    terminal.type("/hepl\r")
    #expect(terminal.expect("did you mean /help?"))
    terminal.type("/help\r")
    #expect(terminal.expect("/regen"))
    terminal.type("/model nowhere\r")
    #expect(terminal.expect("stays as it was"))
    terminal.type("/exit\r")
    #expect(terminal.finish() == 0)
    #expect(!binary.record.contains { $0.contains("prompt") })
  }

  @Test func controlCStopsAReplyAndThenLeaves() throws {
    let binary = try BuiltBinary(
      script: """
        {"replies": [["so far", {"delay": 120000}, "never"], ["second"]], "record": "RECORD"}
        """, recording: true)
    let terminal = try PseudoTerminal(binary, ["chat"])
    #expect(terminal.expect("> "))
    terminal.type("go\r")
    #expect(terminal.expect("so far"))
    terminal.type("\u{3}")
    #expect(terminal.expect("Stopped; /continue goes on."))
    #expect(terminal.expect("> "))
    terminal.type("and now\r")
    #expect(terminal.expect("second"))
    let kept = binary.record.last ?? ""
    #expect(kept.contains(#"so far<|im_end|>\n<|im_start|>user\nand now"#))
    #expect(terminal.expect("> "))
    terminal.type("typed\u{3}")
    #expect(terminal.expect("> "))
    terminal.type("\u{3}")
    #expect(terminal.expect("again"))
    terminal.type("\u{3}")
    #expect(terminal.finish() == 130)
  }

  /// Sends a message, and Ctrl-C once the engine has begun to read it.
  private func stopInPrefill(
    _ message: String, _ terminal: PseudoTerminal, _ binary: BuiltBinary
  ) {
    #expect(terminal.expect("> "))
    terminal.type(message + "\r")
    let deadline = Date().addingTimeInterval(20)
    while binary.record.count < 2, Date() < deadline { Thread.sleep(forTimeInterval: 0.02) }
    terminal.type("\u{3}")
  }

  @Test func controlCStopsThePromptToo() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["never"]], "prefillDelay": 120000, "record": "RECORD"}"#,
      recording: true)
    let terminal = try PseudoTerminal(binary, ["chat"])
    stopInPrefill("go", terminal, binary)
    #expect(terminal.expect("Stopped before the reply began"))
    #expect(terminal.expect("> "))
    terminal.type("\u{3}")
    #expect(terminal.finish() == 130)
  }

  @Test func aReplyThatWasStoppedBeforeItBeganCanBeContinued() throws {
    let binary = try BuiltBinary(
      script:
        #"{"replies": [["never"], ["the answer"]], "prefillDelay": 3000, "record": "RECORD"}"#,
      recording: true)
    let terminal = try PseudoTerminal(binary, ["chat"])
    stopInPrefill("go", terminal, binary)
    #expect(terminal.expect("/continue has it made"))
    #expect(terminal.expect("> "))
    terminal.type("/continue\r")
    #expect(terminal.expect("the answer"))
    #expect(terminal.expect("> "))
    #expect(binary.record.last?.contains(#"user\ngo<|im_end|>\n<|im_start|>assistant\n""#) == true)
    terminal.type("/exit\r")
    #expect(terminal.finish() == 0)
  }

  /// What is said next takes the place of a message without a reply, which is not lost silently.
  @Test func aMessageThatIsSetAsideIsTold() throws {
    let binary = try BuiltBinary(
      script:
        #"{"replies": [["never"], ["the answer"]], "prefillDelay": 3000, "record": "RECORD"}"#,
      recording: true)
    let terminal = try PseudoTerminal(binary, ["chat"])
    stopInPrefill("go on", terminal, binary)
    #expect(terminal.expect("/continue has it made"))
    #expect(terminal.expect("> "))
    terminal.type("other\r")
    #expect(terminal.expect("Your unanswered message (5 tokens) is set aside; /branch 1 has it."))
    #expect(terminal.expect("> "))
    terminal.type("/branch 1\r")
    #expect(terminal.expect("> go on"))
    terminal.type("/exit\r")
    #expect(terminal.finish() == 0)
  }

  /// In any window the list of commands is whole, in rows that fit.
  @Test(arguments: [20, 40, 80, 200])
  func helpIsNotCut(_ columns: Int) throws {
    let binary = try BuiltBinary(script: #"{"replies": [["ok"]], "thinking": "switchable"}"#)
    let terminal = try PseudoTerminal(binary, ["chat"], columns: columns)
    #expect(terminal.expect("> "))
    terminal.type("/help\r")
    #expect(terminal.expect("> "))
    terminal.type("/exit\r")
    #expect(terminal.finish() == 0)
    let shown = terminal.shown.text
    #expect(!shown.contains("…"))
    let words = shown.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for text in [
      "keep this conversation at the top of lists, or no more",
      "let the model think before it answers",
    ] {
      #expect(words.contains(text), "\(text)")
    }
    #expect(words.contains("may begin with a space."))
  }

  /// A model's name or path that came with the program is offered as an installed one is.
  @Test func bundledModelsAreListed() throws {
    let binary = try BuiltBinary(script: #"{"replies": [["ok"]]}"#)
    let folder = binary.home + "/bundled/small-one"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("GGUF".utf8).write(to: URL(filePath: folder + "/small-one.gguf"))
    #expect(try binary.run("chat", input: "/model\n").errorText.contains("  small-one\n"))
  }

  /// How thoughts are shown is the user's for good; what a script says is not.
  @Test func howThoughtsAreShownIsKept() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["A thought.</think>\n\nAnswer."]], "thinking": "switchable"}"#)
    try Data(#"{"theme":"dark"}"#.utf8).write(to: URL(filePath: binary.home + "/config.json"))
    func config() throws -> String {
      try String(contentsOfFile: binary.home + "/config.json", encoding: .utf8)
    }
    #expect(try binary.run("chat", input: "/think show\n").code == 0)
    #expect(try !config().contains("thoughts"))
    let first = try PseudoTerminal(binary, ["chat"])
    #expect(first.expect("> "))
    first.type("/think show\r")
    #expect(first.expect("stay on the screen"))
    first.type("/exit\r")
    #expect(first.finish() == 0)
    #expect(try config().contains(#""thoughts": "show""#) && config().contains("dark"))
    for arguments in [["chat", "--think"], ["run", "--no-stdin", "--think", "go"]] {
      let terminal = try PseudoTerminal(binary, arguments)
      if arguments[0] == "chat" {
        #expect(terminal.expect("> "))
        terminal.type("go\r")
        #expect(terminal.expect("of 4,096"))
        terminal.type("/exit\r")
      }
      #expect(terminal.finish() == 0)
      #expect(terminal.shown.text.contains("A thought."), "\(arguments)")
    }
    try Data(#"{"thoughts":"loud"}"#.utf8).write(to: URL(filePath: binary.home + "/config.json"))
    let odd = try binary.run("run", "x")
    #expect(odd.code == 0 && odd.outputText == "A thought.</think>\n\nAnswer.\n")
    #expect(odd.errorText.contains("none of fold, show, hide"))
  }

  @Test func aBackslashContinuesTheMessage() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["ok"]], "record": "RECORD"}"#, recording: true)
    let terminal = try PseudoTerminal(binary, ["chat"])
    #expect(terminal.expect("> "))
    terminal.type("one\\\r")
    #expect(terminal.expect(". "))
    terminal.type("two\r")
    #expect(terminal.expect("ok"))
    #expect(terminal.expect("> "))
    terminal.type("/exit\r")
    #expect(terminal.finish() == 0)
    #expect(binary.record.last?.contains(#"user\none\ntwo<|im_end|>"#) == true)
  }

  @Test func terminatingGivesTheTerminalBack() throws {
    let binary = try BuiltBinary(script: #"{"replies": [["ok"]]}"#)
    let terminal = try PseudoTerminal(binary, ["chat"])
    #expect(terminal.expect("> "))
    terminal.child.kill(SIGTERM)
    #expect(terminal.finish() == 143)
    #expect(terminal.screen.contains("\u{1B}[?2004l"))
  }

  @Test func progressIsShownWhileAPromptIsRead() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["ok"]], "prefillDelay": 150, "context": 10000}"#)
    let terminal = try PseudoTerminal(binary, ["chat"])
    #expect(terminal.expect("> "))
    terminal.paste(String(repeating: "some words ", count: 80))
    terminal.type("\r")
    #expect(terminal.expect("Reading the prompt: "))
    #expect(terminal.expect(" left"))
    #expect(terminal.expect("ok"))
    #expect(terminal.expect("> "))
    terminal.type("/exit\r")
    #expect(terminal.finish() == 0)
  }
}
