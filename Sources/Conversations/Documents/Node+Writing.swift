import Inference
import JSON
import Tokenizers

extension ConversationTree.Node {
  /// The message as a record on one line: as it was read, unless something has changed.
  var encoded: [UInt8] {
    guard let record else { return Array(JSONValue.members(members).text.utf8) }
    let isOneLine = !record.contains(0x0A)
    if !isChanged, isOneLine { return record }
    guard case .object(let old)? = try? JSONReader.read(record, form: .lenient) else {
      return Array(JSONValue.members(members).text.utf8)
    }
    let members = isChanged ? Array(old) + members : Array(old)
    return Array(JSONValue.members(members).text.utf8)
  }

  private var members: [(String, JSONValue)] {
    var members: [(String, JSONValue)] = [
      ("id", .integer(id)), ("parent", .optional(parentID)),
      ("role", .string(message.role.rawValue)), ("created", .optional(created?.iso8601)),
      ("content", .string(message.content)),
    ]
    if let reasoning = message.reasoning { members.append(("reasoning", .string(reasoning))) }
    if !message.toolCalls.isEmpty {
      members.append(("tool_calls", .array(message.toolCalls.map(\.json))))
    }
    if let id = message.toolCallID { members.append(("tool_call_id", .string(id))) }
    if let name = message.name { members.append(("name", .string(name))) }
    if message.role == .assistant {
      members += [
        ("stop_reason", .optional(stopReason?.rawValue)), ("interrupted", .bool(isInterrupted)),
      ]
    }
    if let model { members.append(("model", .object(model.json))) }
    if let statistics { members.append(("statistics", .object(statistics.json))) }
    if let tokens { members.append(("tokens", .object(tokens.json))) }
    return members
  }
}

extension ConversationTree.TurnTokens {
  fileprivate var json: JSONObject {
    func ids(_ tokens: [TokenID]) -> JSONValue { .array(tokens.map { .integer(Int($0)) }) }
    var members: [(String, JSONValue)] = [("prompt", ids(prompt))]
    if let whole { members.append(("whole", ["system": .optional(whole.system)])) }
    if startsInsideThinking { members.append(("starts_inside_thinking", true)) }
    members.append(("reply", ids(reply)))
    return JSONObject(members)
  }
}

extension ToolCall {
  fileprivate var json: JSONValue {
    .members([
      ("id", .optional(id)), ("name", .string(name)), ("arguments", .string(arguments)),
    ])
  }
}
