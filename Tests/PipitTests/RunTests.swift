import Foundation
import Testing

@Suite struct RunTests {
  private static let hello = #"{"replies": [["Hello, ", "世界!"]]}"#

  @Test func answersOnStandardOutputAlone() throws {
    let outcome = try BuiltBinary(script: Self.hello).run("run", "Say hello")
    #expect(outcome.code == 0)
    #expect(outcome.outputText == "Hello, 世界!\n")
    #expect(outcome.errorText == "")
  }

  @Test func aPromptNeedsNoCommand() throws {
    let binary = try BuiltBinary(script: Self.hello)
    #expect(try binary.run("Say hello").outputText == "Hello, 世界!\n")
    #expect(try binary.run("say", "it", "please").code == 0)
    #expect(try binary.run("--", "word").code == 0)
    #expect(try binary.run(input: "Say hello").outputText == "Hello, 世界!\n")
  }

  /// Words that are near to a command's name begin many a prompt.
  @Test(arguments: [
    "what is gravity", "tell me a story", "fix this code", "find the longest", "list three rivers",
    "hello there", "cat or dog", "convey my thanks", "Models are small", "champ of the year",
  ])
  func aPromptMayBeginWithAnyWord(_ prompt: String) throws {
    let binary = try BuiltBinary(script: Self.hello)
    let outcome = try binary.run(prompt.split(separator: " ").map(String.init))
    #expect(outcome.code == 0, "\(outcome.errorText)")
  }

  @Test func anAnswerThatEndsWithANewlineGetsNoOther() throws {
    let binary = try BuiltBinary(script: #"{"replies": [["Done.\n"]]}"#)
    #expect(try binary.run("run", "x").outputText == "Done.\n")
  }

  @Test func standardInputGoesBeforeThePrompt() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["ok"]], "record": "RECORD"}"#, recording: true)
    _ = try binary.run("run", "Summarise", "this", input: "\u{FEFF}a text\n\n")
    #expect(binary.record.last?.contains(#"user\na text\n\nSummarise this<|im_end|>"#) == true)
    _ = try binary.run("run", "--no-stdin", "Summarise", input: "a text\n")
    #expect(binary.record.last?.contains(#"user\nSummarise<|im_end|>"#) == true)
    _ = try binary.run("run", "-", input: "a text\n")
    #expect(binary.record.last?.contains(#"user\na text<|im_end|>"#) == true)
    _ = try binary.run("run", "--", "-", input: "a text\n")
    #expect(binary.record.last?.contains(#"user\na text\n\n-<|im_end|>"#) == true)
  }

  @Test func aSilentPipeIsNamed() throws {
    let binary = try BuiltBinary(script: Self.hello)
    let child = try binary.start(["run", "Say hello"])
    Thread.sleep(forTimeInterval: 1.6)
    let outcome = child.finish()
    #expect(outcome.code == 0)
    #expect(outcome.errorText.contains("--no-stdin"))
    #expect(outcome.errorText.split(separator: "\n").count == 1)
    #expect(outcome.outputText == "Hello, 世界!\n")
  }

  @Test func aClosedStandardInputIsEmpty() throws {
    let binary = try BuiltBinary(script: Self.hello)
    let outcome = try binary.start(["run", "Say hello"], input: .closed).finish()
    #expect(outcome.code == 0)
    #expect(outcome.outputText == "Hello, 世界!\n")
  }

  @Test func thinkingIsShownOnStandardErrorWhenAsked() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["Hm.\n</think>\n\nFour."]], "thinking": "always"}"#)
    let silent = try binary.run("run", "2+2?")
    #expect(silent.outputText == "Four.\n")
    #expect(silent.errorText == "")
    let asked = try binary.run("run", "--think", "2+2?")
    #expect(asked.outputText == "Four.\n")
    #expect(asked.errorText == "Hm.\n")
  }

  @Test func jsonHasTextReasoningFiguresAndSettings() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["Hm.\n</think>\n\nFour."]], "thinking": "always"}"#)
    let outcome = try binary.run("run", "--json", "--seed", "7", "2+2?")
    #expect(outcome.errorText == "")
    let object = try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any]
    #expect(object?["text"] as? String == "Four.")
    #expect(object?["reasoning"] as? String == "Hm.")
    #expect(object?["stop_reason"] as? String == "end_of_turn")
    #expect(object?["prompt_tokens"] as? Int ?? 0 > 0)
    #expect(object?["generated_tokens"] as? Int == 13)
    #expect(object?["seed"] as? Int == 7)
    #expect((object?["footprint"] as? [String: Any])?.keys.count == 4)
    #expect((object?["settings"] as? [String: Any])?["temperature"] as? Double == 0.7)
  }

  @Test func ndjsonIsAnObjectForEachEvent() throws {
    let outcome = try BuiltBinary(script: Self.hello).run("run", "--ndjson", "Say hello")
    let events = try outcome.outputText.split(separator: "\n").map { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }
    #expect(events.first??["event"] as? String == "prefill")
    #expect(events.last??["event"] as? String == "finished")
    let text = events.compactMap { $0?["text"] as? String }.joined()
    #expect(text == "Hello, 世界!")
  }

  /// Nobody asked for the end of the context, so it is told off a terminal too.
  @Test func aReplyThatTheContextCutsIsTold() throws {
    let long = String(repeating: "word ", count: 40)
    let binary = try BuiltBinary(script: #"{"replies": [["\#(long)"]], "context": 100}"#)
    let cut = try binary.run("run", "x")
    #expect(cut.code == 0)
    #expect(
      cut.errorText == "The model's context of 100 tokens is full; the reply is cut.\n")
    let smaller = try binary.run("run", "-c", "80", "--stats", "--save", "x")
    #expect(
      smaller.errorText.hasPrefix(
        "The context of 80 tokens is full; the reply is cut. -c gives more.\n"))
    #expect(!smaller.errorText.contains("token limit"))
    #expect(
      try binary.run("run", "-c", "80", "--json", "x").outputText.contains(
        #""stop_reason":"context""#))
    #expect(
      try binary.run("history", "show").outputText.hasSuffix(
        "\n(cut: the context was full)\n"))
    let chat = try binary.run("chat", "-c", "80", input: "x\n/context\n")
    #expect(chat.errorText.contains("-c gives more."))
    #expect(chat.errorText.contains("cut, because the context was full"))
    let asked = try binary.run("run", "-n", "5", "x")
    #expect(asked.errorText == "")
    #expect(
      try binary.run("run", "--json", "-n", "5", "x").outputText.contains(
        #""stop_reason":"length""#))
  }

  @Test func aClosedPipeIsQuiet() throws {
    let steps = Array(repeating: #""some text that goes on", {"delay": 20}"#, count: 500)
    let binary = try BuiltBinary(
      script: #"{"replies": [[\#(steps.joined(separator: ","))]], "context": 100000}"#)
    let child = try binary.start(["run", "x"], input: .null)
    _ = child.waitForOutput("some")
    child.closeOutput()
    let outcome = child.finish()
    #expect(outcome.code == 0)
    #expect(outcome.errorText == "")
  }

  @Test func aFullDiskIsAFailure() throws {
    let binary = try BuiltBinary(script: Self.hello)
    let outcome = try binary.shell("exec \"$PIPIT\" run x > /dev/full")
    #expect(outcome.code == 1)
    #expect(outcome.errorText.contains("No space left"))
  }

  @Test func aReplyThatIsAllThoughtIsExplained() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["I think and think and think"]], "thinking": "always"}"#)
    let outcome = try binary.run("run", "-n", "10", "2+2?")
    #expect(outcome.code == 0)
    #expect(outcome.outputText == "")
    #expect(outcome.errorText.contains("spent on thinking"))
  }
}
