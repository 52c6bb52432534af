import Templates
import Tokenizers

extension PromptBuilder {
  /// What the template is rendered with.
  func variables(
    for request: PromptRequest, _ messages: [ChatMessage], isGuarded: Bool
  ) throws(PromptError) -> TemplateObject {
    var variables = TemplateObject()
    variables["messages"] = .list(messages.map { value(of: $0, isGuarded: isGuarded) })
    variables["tools"] = try tools(request.tools, isGuarded: isGuarded)
    variables["add_generation_prompt"] = .bool(request.addsGenerationPrompt)
    if let choice = request.thinking {
      for name in Self.thinkingSwitches { variables[name] = .bool(choice) }
    }
    let roles = tokenizer.roles
    for (name, id) in [
      ("bos_token", roles.beginning), ("eos_token", roles.end), ("pad_token", roles.padding),
      ("unk_token", roles.unknown),
    ] {
      let literal = id.map { tokenizer.decode([$0], skippingControl: false) }
      variables[name] = .string(literal ?? "")
    }
    return variables
  }

  /// The variables by which templates are told whether to think.
  static let thinkingSwitches = ["enable_thinking", "thinking"]

  private func tools(
    _ text: String?, isGuarded: Bool
  ) throws(PromptError) -> TemplateValue {
    guard let text else { return .null }
    let value: TemplateValue
    do { value = try TemplateValue(json: text) } catch { throw .unreadableTools(error) }
    guard case .array(let array) = value else { throw .toolsAreNoList }
    return array.elements.isEmpty ? .null : guarded(value, isGuarded)
  }

  private func value(of message: ChatMessage, isGuarded: Bool) -> TemplateValue {
    func text(_ content: String) -> TemplateValue { guarded(.string(content), isGuarded) }
    var object = TemplateObject()
    object["role"] = .string(message.role.rawValue)
    object["content"] = text(message.content)
    if let reasoning = message.reasoning { object["reasoning_content"] = text(reasoning) }
    if !message.toolCalls.isEmpty {
      object["tool_calls"] = .list(
        message.toolCalls.map { guarded(Self.value(of: $0), isGuarded) })
    }
    if let identifier = message.toolCallID { object["tool_call_id"] = text(identifier) }
    if let name = message.name { object["name"] = text(name) }
    return .object(object)
  }

  private static func value(of call: ToolCall) -> TemplateValue {
    var arguments = TemplateValue.object(["arguments": .string(call.arguments)])
    // A model may well write what is no object; templates expect one, and some fail without.
    if let value = try? TemplateValue(json: call.arguments), case .object = value {
      arguments = value
    }
    var function = TemplateObject()
    function["name"] = .string(call.name)
    function["arguments"] = arguments
    var object = TemplateObject()
    if let identifier = call.id { object["id"] = .string(identifier) }
    object["type"] = "function"
    object["function"] = .object(function)
    return .object(object)
  }

  /// The value with every string in it guarded.
  private func guarded(_ value: TemplateValue, _ isGuarded: Bool) -> TemplateValue {
    guard isGuarded else { return value }
    switch value {
    case .string(let text):
      return .string(tokenizer.guarding(text))
    case .array(let array):
      return .array(TemplateArray(array.elements.map { guarded($0, true) }, form: array.form))
    case .object(let object):
      var result = TemplateObject()
      for (key, element) in object.pairs { result[guarded(key, true)] = guarded(element, true) }
      return .object(result)
    default:
      return value
    }
  }
}
