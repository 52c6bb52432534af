import Foundation
import Testing

@Suite struct EscapeTests {
  private static let script = #"{"replies": [["one two three"]], "thinking": "switchable"}"#

  /// Off a terminal nothing but text comes out, whatever the command and the environment.
  @Test(arguments: [
    ["help"], ["help", "run"], ["run", "x"], ["run", "--stats", "--think", "x"],
    ["run", "--json", "x"], ["run", "--bogus"], ["chat"], ["models"], ["bench", "-r", "1"],
    ["tokenize"], ["version"], ["chta"],
  ])
  func noneOffATerminal(_ arguments: [String]) throws {
    let binary = try BuiltBinary(script: Self.script)
    let outcome = try binary.run(
      arguments, input: Data("hi\n/help\n/stats\n".utf8), environment: ["COLORTERM": "truecolor"])
    for byte in outcome.output + outcome.errors {
      #expect(byte >= 0x20 || byte == 0x0A)
    }
  }

  @Test func controlCharactersOfAModelReachAPipeAsTheyAre() throws {
    let binary = try BuiltBinary(script: #"{"replies": [["a\u001b[31mb\u0007"]]}"#)
    #expect(try binary.run("run", "x").outputText == "a\u{1B}[31mb\u{7}\n")
  }

  @Test func controlCharactersOfAModelNeverReachATerminal() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["a\u001b[31mb\u0007\u009b2Jc\rd\u007f\te\nf"]]}"#)
    let terminal = try PseudoTerminal(binary, ["run", "--no-stdin", "--quiet", "x"])
    #expect(terminal.finish() == 0)
    #expect(terminal.screen == "a[31mb2Jcd\te\r\nf\r\n" || terminal.screen.contains("a[31mb2Jcd"))
    #expect(!terminal.screen.contains("\u{1B}"))
    #expect(!terminal.screen.contains("\u{7}"))
    #expect(!terminal.screen.contains("\u{9B}"))
  }

  @Test(arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
  func aPlainTerminalGetsNone(_ environment: [String: String]) throws {
    let binary = try BuiltBinary(script: Self.script)
    let terminal = try PseudoTerminal(
      binary, ["run", "--no-stdin", "--think", "x"], environment: environment)
    #expect(terminal.finish() == 0)
    #expect(terminal.screen.contains("one two three"))
    #expect(!terminal.screen.contains("\u{1B}["))
  }

  @Test func aTerminalGetsThem() throws {
    let binary = try BuiltBinary(script: Self.script)
    let terminal = try PseudoTerminal(binary, ["run", "--no-stdin", "x"])
    #expect(terminal.finish() == 0)
    #expect(terminal.screen.contains("\u{1B}[2mprompt"))
    let plain = try PseudoTerminal(binary, ["run", "--no-stdin", "--color", "never", "x"])
    #expect(plain.finish() == 0)
    #expect(!plain.screen.contains("\u{1B}["))
  }
}
