import Foundation
import Inference
import TestSupport
import Tokenizers

/// A model's template with conversations rendered by the reference implementation.
struct ChatTruth: Decodable {
  struct Case: Decodable {
    struct Message: Decodable {
      struct Call: Decodable {
        struct Function: Decodable {
          var name: String
          var arguments: [String: Value]
        }
        var function: Function
      }
      var role: Role
      var content: String
      var reasoning: String?
      var calls: [Call]?

      enum CodingKeys: String, CodingKey {
        case role, content
        case reasoning = "reasoning_content"
        case calls = "tool_calls"
      }
    }

    /// The arguments that occur in the truths.
    enum Value: Decodable {
      case text(String)
      case number(Int)

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
          self = .number(number)
        } else {
          self = .text(try container.decode(String.self))
        }
      }
    }

    var label: String
    var messages: [Message]
    var expected: String?
    var kwargs: [String: Bool]
  }

  var template: String
  var cases: [Case]

  static let models = ["smollm2", "qwen2.5", "qwen3", "qwen3.5"]

  init(_ model: String) throws {
    let fixtures = Fixtures(bundlePath: Bundle.module.bundlePath)
    self = try JSONDecoder().decode(Self.self, from: fixtures.data("chat/\(model).json"))
  }

  func builder(_ tokenizer: Tokenizer) throws -> PromptBuilder {
    try PromptBuilder(
      templateSource: template, tokenizer: tokenizer,
      endOfTurn: Set(["<|im_end|>", "<|endoftext|>"].compactMap { tokenizer.id(of: $0) }),
      time: nil)
  }
}

extension ChatTruth.Case {
  var request: PromptRequest {
    PromptRequest(
      messages: messages.map { message in
        ChatMessage(
          message.role, message.content, reasoning: message.reasoning,
          toolCalls: (message.calls ?? []).map { call in
            // In the truths the city comes first.
            let pairs = call.function.arguments.sorted { $0.key < $1.key }.map { key, value in
              switch value {
              case .text(let text): "\"\(key)\": \"\(text)\""
              case .number(let number): "\"\(key)\": \(number)"
              }
            }
            return ToolCall(
              name: call.function.name, arguments: "{\(pairs.joined(separator: ", "))}")
          })
      },
      tools: label.contains("tools") || label.contains("call") ? Self.tools : nil,
      thinking: kwargs["enable_thinking"])
  }

  private static let tools = """
    [{"type": "function", "function": {"name": "get_weather", "description": "Weather \\"now\\" é", \
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}, \
    "days": {"type": "integer"}}, "required": ["city"]}}}]
    """
}
