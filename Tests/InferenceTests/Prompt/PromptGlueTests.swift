import Inference
import Templates
import Testing
import Tokenizers

@Suite struct PromptGlueTests {
  private static let conversations: [[ChatMessage]] = [
    [ChatMessage(.user, "a"), ChatMessage(.assistant, "b"), ChatMessage(.user, "c")],
    [
      ChatMessage(.system, "S"), ChatMessage(.user, "a"), ChatMessage(.assistant, "b"),
      ChatMessage(.user, "c"), ChatMessage(.assistant, "Grüße\n\n1. x"),
      ChatMessage(.user, " <|im_end|> naïve 👩‍👩‍👧\n"),
    ],
    [
      ChatMessage(.user, "a"),
      ChatMessage(.assistant, "Let me see.", toolCalls: [ToolCall(name: "f", arguments: "{}")]),
      ChatMessage(.tool, "r1"), ChatMessage(.tool, "r2"),
    ],
    [ChatMessage(.user, "a"), ChatMessage(.assistant, ""), ChatMessage(.user, "c")],
  ]

  /// The tokens after a reply are those that the whole rendering has there.
  @Test(arguments: ChatTruth.models, conversations)
  func isTheTailOfTheWholeRendering(_ model: String, _ messages: [ChatMessage]) throws {
    let tokenizer = try Tokenizer.bytes()
    let builder = try ChatTruth(model).builder(tokenizer)
    let end = try #require(tokenizer.id(of: "<|im_end|>"))
    for thinking in [nil, true, false] {
      let request = PromptRequest(messages: messages, thinking: thinking)
      let whole = try builder.prompt(request)
      let unended = try builder.continuation(request, after: [1])
      #expect(unended.tokens.first == end)
      #expect(Array(whole.tokens.suffix(unended.tokens.count)) == unended.tokens)
      #expect(unended.startsInsideThinking == whole.startsInsideThinking)
      let ended = try builder.continuation(request, after: [1, end])
      #expect([end] + ended.tokens == unended.tokens)
    }
  }

  /// Where the template keeps replies as they are, turn after turn gives the whole rendering.
  @Test(arguments: ["smollm2", "qwen2.5", "qwen3"])
  func addsUpToTheWholeConversation(_ model: String) throws {
    let tokenizer = try Tokenizer.bytes()
    let builder = try ChatTruth(model).builder(tokenizer)
    let end = try #require(tokenizer.id(of: "<|im_end|>"))
    var request = PromptRequest(messages: [ChatMessage(.user, "Hello")])
    var history = try builder.prompt(request).tokens
    for turn in 0..<4 {
      let reply = "Reply \(turn).\n\n  – ✓"
      history += try tokenizer.encode(reply, .text)
      // Every second reply is cut off before its end.
      if turn.isMultiple(of: 2) { history.append(end) }
      request.messages += [ChatMessage(.assistant, reply), ChatMessage(.user, "Turn \(turn)?")]
      history += try builder.continuation(request, after: history).tokens
      #expect(try builder.prompt(request).tokens == history)
    }
  }

  /// Thinking stays in the tokens though the template would drop it from an earlier turn.
  @Test func neverTouchesWhatWasSampled() throws {
    let tokenizer = try Tokenizer.bytes()
    let builder = try ChatTruth("qwen3").builder(tokenizer)
    let reply = ChatMessage(.assistant, "b", reasoning: "because")
    let request = PromptRequest(messages: [ChatMessage(.user, "a"), reply, ChatMessage(.user, "c")])
    let history = try tokenizer.encode("<think>\nbecause\n</think>\n\nb<|im_end|>", .matched)
    let next = try builder.continuation(request, after: history)
    #expect(next.text == "\n<|im_start|>user\nc<|im_end|>\n<|im_start|>assistant\n")
  }

  @Test func doesNotDoubleAnotherEnd() throws {
    let tokenizer = try Tokenizer.bytes()
    let builder = try ChatTruth("qwen2.5").builder(tokenizer)
    let end = try #require(tokenizer.id(of: "<|endoftext|>"))
    let request = PromptRequest(messages: Self.conversations[0])
    let next = try builder.continuation(request, after: [end])
    #expect(next.text.hasPrefix("\n<|im_start|>user"))
  }

  @Test(arguments: [
    ("{{ m.content | upper }}", 0), ("{{ m.content }}{{ m.content }}", 2), ("", 0),
  ]) func givesUpOnTemplatesThatChangeReplies(_ body: String, _ times: Int) throws {
    let source = "{% for m in messages %}<|im_start|>\(body)<|im_end|>{% endfor %}"
    let builder = try PromptBuilder(templateSource: source, tokenizer: .bytes(), endOfTurn: [])
    let request = PromptRequest(messages: Self.conversations[0])
    #expect(throws: GlueFailure.replyRendered(times: times)) {
      try builder.continuation(request, after: [])
    }
    let turn = try builder.turn(request, after: [])
    let whole = try builder.prompt(request)
    #expect(
      turn
        == .renderedAnew(
          whole, reason: "The chat template writes a reply \(times) times instead of once."))
  }

  @Test func needsSomethingNew() throws {
    let builder = try ChatTruth("qwen3").builder(.bytes())
    for messages in [Array(Self.conversations[0].prefix(2)), [ChatMessage(.user, "a")]] {
      #expect(throws: GlueFailure.nothingNew) {
        try builder.continuation(PromptRequest(messages: messages), after: [])
      }
    }
  }

  @Test func noticesThatASystemMessageMoves() throws {
    let messages =
      Self.conversations[0].prefix(2) + [ChatMessage(.system, "New."), ChatMessage(.user, "c")]
    let request = PromptRequest(messages: Array(messages))
    let mover = try ChatTruth("qwen3.5").builder(.bytes())
    #expect(throws: GlueFailure.systemMessageMoves) { try mover.continuation(request, after: []) }
    let keeper = try ChatTruth("qwen2.5").builder(.bytes())
    let next = try keeper.continuation(request, after: [])
    #expect(next.text.contains("<|im_start|>system\nNew.<|im_end|>"))
  }

  @Test func picksASentinelThatNobodyUses() throws {
    let builder = try ChatTruth("qwen2.5").builder(.bytes())
    var messages = Self.conversations[0]
    messages[0].content = "ReplyOfTheAssistant0End ReplyOfTheAssistant1End"
    messages[2].content = "ReplyOfTheAssistant0End"
    let next = try builder.continuation(PromptRequest(messages: messages), after: [])
    #expect(next.text.contains("<|im_start|>user\nReplyOfTheAssistant0End<|im_end|>"))
  }
}
