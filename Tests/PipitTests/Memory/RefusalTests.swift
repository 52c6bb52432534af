import Foundation
import Testing

/// Refusals and what is said of memory, as the built binary shows them.
@Suite struct RefusalTests {
  private let big = #"{"replies": [["x"]], "loadFailures": {"big": "memory"}}"#

  @Test func asAnObject() throws {
    let binary = try BuiltBinary(script: big)
    try binary.install("big")
    let outcome = try binary.run("run", "-m", "big", "--json", "x")
    #expect(outcome.code == 4)
    let object = try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any]
    let refusal = object?["refusal"] as? [String: Any]
    #expect(refusal?["kind"] as? String == "memory")
    #expect(refusal?["needed_bytes"] as? Int == 9_000_000_000)
    #expect(refusal?["available_bytes"] as? Int == 1_000_000_000)
    #expect(refusal?["largest_context"] as? Int == 512)
    #expect((refusal?["message"] as? String)?.contains("--force") == true)
    #expect(outcome.errorText.contains("9.00 GB"))
  }

  @Test func asAnEvent() throws {
    let binary = try BuiltBinary(script: #"{"replies": [["x"]], "context": 64}"#)
    let long = String(repeating: "a ", count: 200)
    let outcome = try binary.run("run", "--ndjson", long)
    #expect(outcome.code == 5)
    #expect(
      outcome.outputText.hasPrefix(
        #"{"event":"refusal","refusal":{"kind":"context","prompt_tokens":"#))
    #expect(outcome.outputText.hasSuffix("\n"))
    #expect(try binary.run("run", long).outputText == "")
  }

  @Test func aConversationThatOutgrowsItsContext() throws {
    let script = #"{"replies": [["answer"]], "context": 300, "record": "RECORD"}"#
    let input = (0..<12).map { "question \($0)\n" }.joined()
    let refused = try BuiltBinary(script: script, recording: true)
    let outcome = try refused.run("chat", "-n", "20", input: input)
    #expect(outcome.code == 5)
    #expect(outcome.errorText.contains("context of 300"))
    let count = outcome.outputText.split(separator: "\n").count
    #expect(count > 2 && count < 10)

    let dropping = try BuiltBinary(script: script, recording: true)
    let all = try dropping.run(
      "chat", "-n", "20", "-s", "Be brief.", "--overflow", "drop-oldest", input: input)
    #expect(all.code == 0)
    #expect(all.outputText == String(repeating: "answer\n", count: 12))
    #expect(all.errorText.contains("The model no longer sees the oldest"))
    #expect(all.errorText.contains("tokens) of this conversation"))
    let last = dropping.record.last ?? ""
    #expect(last.contains(#"<|im_start|>system\nBe brief.<|im_end|>"#))
    #expect(last.contains("question 11") && !last.contains("question 0<"))
  }

  @Test func aChatOnATerminalIsOfferedTheChoice() throws {
    let binary = try BuiltBinary(script: #"{"replies": [["answer"]], "context": 120}"#)
    let terminal = try PseudoTerminal(binary, ["chat"])
    #expect(terminal.expect("> "))
    terminal.type(String(repeating: "long ", count: 30) + "\r")
    #expect(terminal.expect("/new begins a new conversation"))
    #expect(terminal.expect("--overflow drop-oldest"))
    terminal.type("\u{4}")
    #expect(terminal.finish() == 0)
  }

  @Test func heatIsSaidAndTheReplyKept() throws {
    let binary = try BuiltBinary(script: #"{"replies": [["so far", {"stop": "heat"}]]}"#)
    let outcome = try binary.run("run", "x")
    #expect(outcome.code == 0)
    #expect(outcome.outputText == "so far\n")
    #expect(outcome.errorText.contains("too hot"))
  }

  @Test func statisticsNameEveryMetric() throws {
    let binary = try BuiltBinary(script: #"{"replies": [["x"]]}"#)
    let text = try binary.run("bench", "-r", "1", "-p", "8", "-n", "4").outputText
    for name in ["VmHWM", "RssAnon", "RssFile", "Pss"] { #expect(text.contains(name)) }
  }
}
