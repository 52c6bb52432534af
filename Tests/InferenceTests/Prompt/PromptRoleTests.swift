import Inference
import Templates
import Testing
import Tokenizers

@Suite struct PromptRoleTests {
  /// As Gemma's: no system message, and the roles in turn.
  private static let strict = """
    {%- for m in messages -%}
    {%- if m.role == 'system' -%}{{ raise_exception('System role not supported') }}{%- endif -%}
    {%- if (m.role == 'user') != (loop.index0 % 2 == 0) -%}
    {{ raise_exception('Roles must alternate') }}{%- endif -%}
    [{{ m.role }}:{{ m.content | trim }}]
    {%- endfor -%}
    """

  private func text(_ template: String, _ messages: [ChatMessage]) throws -> String {
    let builder = try PromptBuilder(templateSource: template, tokenizer: .bytes(), endOfTurn: [])
    return try builder.text(PromptRequest(messages: messages))
  }

  @Test func leavesAloneWhatTheTemplateTakes() throws {
    let truth = try ChatTruth("qwen2.5")
    let late = try #require(truth.cases.first { $0.label == "late system" })
    #expect(try truth.builder(.bytes()).text(late.request) == late.expected)
  }

  @Test func gathersSystemMessagesForTemplatesThatWantThemFirst() throws {
    let builder = try ChatTruth("qwen3.5").builder(.bytes())
    let text = try builder.text(
      PromptRequest(
        messages: [
          ChatMessage(.system, "One."), ChatMessage(.user, "a"), ChatMessage(.assistant, "b"),
          ChatMessage(.system, "Two."), ChatMessage(.user, "c"),
        ], thinking: false))
    #expect(
      text
        == "<|im_start|>system\nOne.\n\nTwo.<|im_end|>\n<|im_start|>user\na<|im_end|>\n"
        + "<|im_start|>assistant\nb<|im_end|>\n<|im_start|>user\nc<|im_end|>\n"
        + "<|im_start|>assistant\n<think>\n\n</think>\n\n")
  }

  @Test func mergesRolesInARow() throws {
    let messages = [
      ChatMessage(.user, "a"), ChatMessage(.user, "b"), ChatMessage(.assistant, "c"),
      ChatMessage(.assistant, ""), ChatMessage(.user, "d"),
    ]
    #expect(try text(Self.strict, messages) == "[user:a\n\nb][assistant:c][user:d]")
  }

  @Test func putsTheSystemMessageIntoTheFirstUserMessage() throws {
    let messages = [ChatMessage(.system, "S"), ChatMessage(.user, "a")]
    #expect(try text(Self.strict, messages) == "[user:S\n\na]")
  }

  @Test func reportsTheFirstRefusal() throws {
    let error = #expect(throws: TemplateError.self) {
      try text(Self.strict, [ChatMessage(.system, "S"), ChatMessage(.assistant, "a")])
    }
    #expect(error?.kind == .raised("System role not supported"))
  }

  @Test func messagesSurviveCoding() throws {
    let message = ChatMessage(
      .assistant, "x", reasoning: "r", toolCalls: [ToolCall(id: "1", name: "f", arguments: "{}")])
    #expect(message.toolCalls.first?.name == "f")
    #expect(RoleNormalisation.none.rawValue == 0)
  }
}
