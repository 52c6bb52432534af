import Foundation
import Testing

@Suite struct EscapeTests {
  private static let script = #"{"replies": [["one two three"]], "thinking": "switchable"}"#

  /// Off a terminal nothing but text comes out, whatever the command and the environment.
  @Test(arguments: [
    ["help"], ["help", "run"], ["run", "x"], ["run", "--stats", "--think", "x"],
    ["run", "--json", "x"], ["run", "--bogus"], ["chat"], ["models"], ["bench", "-r", "1"],
    ["tokenize"], ["version"], ["chta"], ["chat", "--continue"], ["run", "--save", "x"],
    ["history"], ["history", "show"], ["history", "search", "hi"], ["history", "export"],
    ["history", "bogus"], ["completions", "bash"], ["inspect", "x"], ["detokenize"],
    ["perplexity", "x"], ["template"], ["logits"],
  ])
  func noneOffATerminal(_ arguments: [String]) throws {
    let binary = try BuiltBinary(script: Self.script)
    let outcome = try binary.run(
      arguments, input: Data("hi\n/help\n/stats\n".utf8), environment: ["COLORTERM": "truecolor"])
    #expect(Self.isPlain(outcome))
  }

  private static func isPlain(_ outcome: Outcome) -> Bool {
    (outcome.output + outcome.errors).allSatisfy { $0 >= 0x20 || $0 == 0x0A }
  }

  /// Nor does a command of the chat bring any, with or without an argument.
  @Test(arguments: [
    "/help", "/help think", "/list", "/search hi", "/title", "/title \u{1B}[31mred", "/pin",
    "/delete", "/delete undo", "/open", "/open 1", "/undo", "/edit \u{1B}[2Jx", "/regen",
    "/continue",
    "/branch", "/branch 1", "/fork", "/export md -", "/export json -", "/copy", "/copy code",
    "/attach script.json", "/system \u{1B}]0;x\u{7}", "/system", "/model", "/think", "/think show",
    "/fast", "/params", "/params seed 1", "/stats", "/context", "/new", "/bogus", "/exit now",
  ])
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
