import Testing

/// A chat whose standard input is not a terminal: each line a turn.
@Suite struct ChatPipeTests {
  @Test func eachLineIsATurn() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["First."], ["Second."]], "record": "RECORD"}"#, recording: true)
    let outcome = try binary.run("chat", input: "one\n\ntwo\\\nlines")
    #expect(outcome.code == 0)
    #expect(outcome.outputText == "First.\nSecond.\n")
    #expect(outcome.errorText == "")
    #expect(
      binary.record.last?.contains(#"First.<|im_end|>\n<|im_start|>user\ntwo\nlines"#) == true)
  }

  @Test func commandsWork() throws {
    let binary = try BuiltBinary(
      script: """
        {"replies": [["First."], ["Second."], ["Hm.</think>\\n\\nThird."]], "thinking": "switchable", "record": "RECORD"}
        """, recording: true)
    let outcome = try binary.run(
      "chat", input: "/system Be brief.\none\n/regen\n/clear\n/think\n/system\ntwo\n/exit\nno\n")
    #expect(outcome.code == 0)
    #expect(outcome.outputText == "First.\nSecond.\nThird.\n")
    #expect(outcome.errorText.contains("Be brief."))
    let last = binary.record.last ?? ""
    #expect(last.contains(#"system\nBe brief."#))
    #expect(!last.contains("one"))
    #expect(last.contains(#"<think>\n""#))
  }

  @Test func theFirstFailureEndsIt() throws {
    let binary = try BuiltBinary(script: #"{"replies": [["a", {"fail": true}]]}"#)
    let outcome = try binary.run("chat", input: "one\ntwo\n")
    #expect(outcome.code == 1)
    #expect(outcome.outputText == "a\n")
    let unknown = try binary.run("chat", input: "/nothing\none\n")
    #expect(unknown.code == 2)
    #expect(unknown.outputText == "")
    let model = try binary.run("chat", input: "/model nothing\none\n")
    #expect(model.code == 3)
  }
}
