import Foundation
import Testing

@Suite struct FirstRunTests {
  @Test func showsAFewFigures() throws {
    let binary = try BuiltBinary(script: #"{"replies": [["One", " two."]]}"#)
    let outcome = try binary.run("bench", "--first-run")
    #expect(outcome.code == 0)
    for name in ["model", "load", "prefill", "decode", "memory", "sample          One two."] {
      #expect(outcome.outputText.contains(name))
    }
    let json = try binary.run("bench", "--first-run", "--json")
    let report = try JSONSerialization.jsonObject(with: json.output) as? [String: Any]
    #expect(report?["sample"] as? String == "One two.")
  }

  @Test func anyKeySkips() throws {
    let binary = try BuiltBinary(script: #"{"replies": [[{"delay": 60000}, "word"]]}"#)
    let terminal = try PseudoTerminal(binary, ["bench", "--first-run"])
    #expect(terminal.expect("any key skips"))
    terminal.type("x")
    #expect(terminal.expect("Skipped"))
    #expect(terminal.child.finish().code == 0)
  }
}
