import Foundation
import Testing

@Suite struct EscapeTests {
  private static let script = #"{"replies": [["one two three"]], "thinking": "switchable"}"#

  /// What each command is given besides nothing and a word, `ID` being a conversation's.
  ///
  /// A command without an entry fails a test.
  private static let arguments: [String: [[String]]] = [
    "run": [
      ["--stats", "--think", "x"], ["--json", "x"], ["--ndjson", "x"], ["--bogus"],
      ["--save", "x"], ["--continue", "x"], ["--conversation", "ID", "x"],
    ],
    "chat": [["--continue"], ["--conversation", "ID"], ["--think", "--stats"], ["--json"]],
    "history": [
      ["--json"], ["show", "ID"], ["search", "hi"], ["search", "hi", "--json"],
      ["export", "ID", "md"], ["export", "ID", "txt"], ["rename", "ID", "\u{1B}[31mred"],
      ["pin", "ID"], ["unpin", "ID"], ["delete", "ID"], ["undo"], ["restore", "ID"],
      ["purge", "ID"], ["purge", "--trash"], ["--trash"],
    ],
    "models": [
      ["list", "--json"], ["show", "smollm2-135m"], ["rm", "tiny"], ["add", "script.json"],
    ],
    "fit": [["tiny"], ["--ram", "8GB"], ["--json"]],
    "convert": [
      ["tiny", "out"], ["--json", "tiny", "out"], ["script.json", "out", "--ternary"],
    ],
    "doctor": [],
    "inspect": [["tiny"], ["--json", "tiny"]],
    "bench": [["-r", "1"], ["-r", "1", "--csv"], ["--first-run"]],
    "perplexity": [["script.json"]],
    "tokenize": [["--json"], ["--batch"]],
    "detokenize": [["1", "2"]],
    "template": [["--input", "script.json"]],
    "logits": [["--tokens", "1", "--out", "-"]],
    "completions": [["bash"], ["zsh"], ["fish"]],
    "help": [["run"], ["bogus"]],
    "version": [["--json"]],
  ]

  /// Off a terminal nothing but text comes out, whatever the command, its arguments and the
  /// environment.
  @Test(arguments: BuiltBinary.commands + ["chta"])
  func noneOffATerminal(_ command: String) throws {
    let binary = try BuiltBinary(script: Self.script)
    try binary.install("tiny")
    // A title, a message and a folder of a model that a terminal would obey.
    let hostile = "\u{1B}[31mred\u{7} \u{9B}2J"
    #expect(try binary.run("run", "--save", hostile).code == 0)
    try binary.install("\u{1B}[31mred")
    let id = try #require(try binary.conversations.first)
    let known = command == "chta" ? [] : Self.arguments[command]
    let cases = try #require(known, "\(command) has no case")
    let words = try binary.words(of: command)
    for arguments in [[], ["x"], ["--help"], ["--json"]] + words.map({ [$0] }) + cases {
      let outcome = try binary.run(
        [command] + arguments.map { $0 == "ID" ? id : $0 }, input: Data("hi\n/help\n/stats\n".utf8),
        environment: ["COLORTERM": "truecolor", "CLICOLOR_FORCE": "1"])
      // What was said comes out of these as it was said, and float32s from that one.
      let isContent = command == "history" && ["show", "export"].contains(arguments.first)
      if isContent || command == "logits" {
        let text = outcome.outputText.replacing(hostile, with: "")
        #expect(command == "logits" || !text.contains("\u{1B}"), "\(arguments)")
        #expect(Self.isPlain(outcome.errors), "\(arguments)")
      } else {
        #expect(Self.isPlain(outcome.output + outcome.errors), "\(arguments)")
      }
    }
  }

  private static func isPlain(_ bytes: Data) -> Bool {
    bytes.allSatisfy { $0 >= 0x20 || $0 == 0x0A }
  }

  private static let chatLines = [
    "/help", "/help think", "/list", "/list all", "/search hi", "/title", "/title \u{1B}[31mred",
    "/pin",
    "/delete", "/delete undo", "/open", "/open 1", "/undo", "/edit \u{1B}[2Jx", "/regen",
    "/continue",
    "/branch", "/branch 1", "/fork", "/export md -", "/export json -", "/copy", "/copy code",
    "/attach script.json", "/system \u{1B}]0;x\u{7}", "/system", "/model", "/think", "/think show",
    "/fast", "/params", "/params seed 1", "/stats", "/context", "/new", "/bogus", "/exit now",
    "/exit",
  ]

  @Test func everyCommandOfTheChatHasACase() throws {
    let outcome = try BuiltBinary(script: Self.script).run("chat", input: "/help\n")
    let tested = Set(Self.chatLines.map { $0.prefix { $0 != " " } })
    let names = outcome.errorText.split(separator: "\n").filter { $0.hasPrefix("  /") }
      .map { $0.dropFirst(2).prefix { $0 != " " } }
    #expect(names.count > 20)
    for name in names { #expect(tested.contains(name), "\(name)") }
  }

  /// Nor does a command of the chat bring any, with or without an argument.
  @Test(arguments: chatLines)
  func noneFromACommandOfTheChat(_ line: String) throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["one\u001b[31m two"]], "thinking": "switchable"}"#)
    let outcome = try binary.run(
      ["chat", "--quiet"], input: Data("hi\n\(line)\n/list\n".utf8))
    // A pipe gets the model's text as it is.
    let output = outcome.outputText.replacing("one\u{1B}[31m two", with: "")
    #expect(!output.contains("\u{1B}"))
    #expect(outcome.errors.allSatisfy { $0 >= 0x20 || $0 == 0x0A })
  }

  @Test func controlCharactersOfAModelReachAPipeAsTheyAre() throws {
    let binary = try BuiltBinary(script: #"{"replies": [["a\u001b[31mb\u0007"]]}"#)
    #expect(try binary.run("run", "x").outputText == "a\u{1B}[31mb\u{7}\n")
  }

  @Test func controlCharactersOfAModelNeverReachATerminal() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["a\u001b[31mb\u0007\u009b2Jc\rd\u007f\te\nf"]]}"#)
    let terminal = try PseudoTerminal(binary, ["run", "--no-stdin", "--quiet", "--raw", "x"])
    #expect(terminal.finish() == 0)
    #expect(terminal.screen == "a[31mb2Jcd\te\r\nf\r\n" || terminal.screen.contains("a[31mb2Jcd"))
    #expect(!terminal.screen.contains("\u{1B}"))
    #expect(!terminal.screen.contains("\u{7}"))
    #expect(!terminal.screen.contains("\u{9B}"))
  }

  /// Laid out, a reply's own control characters do not come through either.
  @Test func controlCharactersOfAModelDoNotDraw() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["a\u001b[31mb\u0007\u009b2Jc\rd\u007f e\n\n\u001b[2Jf"]]}"#)
    let terminal = try PseudoTerminal(binary, ["run", "--no-stdin", "--quiet", "x"])
    #expect(terminal.finish() == 0)
    #expect(terminal.shown.text == "a[31mb2Jcd e\n\n[2Jf\n")
    #expect(terminal.shown.unknown == [])
  }

  @Test func withoutColourTheCursorMovesAndNothingElse() throws {
    let binary = try BuiltBinary(script: Self.script)
    let terminal = try PseudoTerminal(
      binary, ["run", "--no-stdin", "--think", "x"], environment: ["NO_COLOR": "1"])
    #expect(terminal.finish() == 0)
    #expect(terminal.shown.text.contains("one two three"))
    #expect(!terminal.shown.hasStyles)
  }

  /// Every command on a terminal that obeys nothing, and on one that is to have no colour; both are
  /// narrow.
  @Test(arguments: BuiltBinary.commands)
  func onAPlainTerminal(_ command: String) throws {
    let binary = try BuiltBinary(script: Self.script)
    try binary.install("tiny")
    #expect(try binary.run("run", "--save", "hi").code == 0)
    let id = try #require(try binary.conversations.first)
    let known = try #require(Self.arguments[command]).prefix(3)
    for arguments in [[], ["--help"]] + known {
      for environment in [["TERM": "dumb"], ["NO_COLOR": "1"]] {
        let terminal = try PseudoTerminal(
          binary, [command] + arguments.map { $0 == "ID" ? id : $0 }, columns: 40,
          environment: environment)
        // What waits for input gets its end.
        let isChat = command == "chat" && !arguments.contains("--help")
        if isChat { #expect(terminal.expect("> ")) }
        terminal.type(isChat ? "/help\r/list\r/exit\r" : "\u{4}")
        _ = terminal.finish()
        if environment["TERM"] != nil {
          #expect(!terminal.screen.contains("\u{1B}"), "\(arguments)")
        } else {
          #expect(!terminal.shown.hasStyles, "\(arguments)")
        }
      }
    }
  }

  @Test(arguments: [["run", "--no-stdin", "--think", "x"], ["chat"]])
  func aDumbTerminalGetsNone(_ arguments: [String]) throws {
    let binary = try BuiltBinary(script: Self.script)
    let terminal = try PseudoTerminal(binary, arguments, environment: ["TERM": "dumb"])
    if arguments == ["chat"] {
      #expect(terminal.expect("> "))
      terminal.type("x\r")
    }
    #expect(terminal.expect("one two three"))
    if arguments == ["chat"] {
      #expect(terminal.expect("> "))
      terminal.type("/exit\r")
    }
    #expect(terminal.finish() == 0)
    #expect(!terminal.screen.contains("\u{1B}"))
  }

  @Test func aTerminalGetsThem() throws {
    let binary = try BuiltBinary(script: Self.script)
    let terminal = try PseudoTerminal(binary, ["run", "--no-stdin", "x"])
    #expect(terminal.finish() == 0)
    #expect(terminal.screen.contains("\u{1B}[2mprompt"))
    let plain = try PseudoTerminal(binary, ["run", "--no-stdin", "--color", "never", "x"])
    #expect(plain.finish() == 0)
    #expect(!plain.shown.hasStyles)
  }
}
