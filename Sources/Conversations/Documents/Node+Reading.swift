import Inference
import JSON
import Tokenizers

extension ConversationTree.Node {
  /// A message of a document; nil if its record makes no sense.
  ///
  /// Of what only helps (tokens, figures, times) what is wrong is as good as missing.
  init?(record: [UInt8]) {
    var fields = Fields()
    do {
      var cursor = JSONCursor(record)
      try cursor.readObject { cursor, key in try fields.read(key, &cursor) }
      try cursor.expectEnd()
    } catch {
      return nil
    }
    guard let id = fields.id, id >= 0, id < Self.idLimit, let role = fields.role,
      let content = fields.content, fields.parent.map({ $0 >= 0 && $0 < id }) ?? true
    else { return nil }
    self.init(
      id: id, parentID: fields.parent,
      message: ChatMessage(
        role, content, reasoning: fields.reasoning, toolCalls: fields.toolCalls,
        toolCallID: fields.toolCallID, name: fields.name),
      created: fields.created, tokens: fields.tokens.value, statistics: fields.statistics,
      model: fields.model, stopReason: fields.stopReason)
    self.record = record
  }

  /// The identifier in a record that is no message; nil if it has none that a message could have.
  static func identifier(_ record: [UInt8]) -> Int? {
    guard let id = (try? JSONReader.read(record, form: .lenient))?["id"]?.intValue,
      id >= 0, id < idLimit - 1
    else { return nil }
    return id
  }

  /// Far above any conversation's, and far below overflow.
  private static let idLimit = 1 << 40
}

/// The members of a record as they are met.
private struct Fields {
  var id: Int?
  var parent: Int?
  var role: Role?
  var content: String?
  var reasoning: String?
  var toolCalls: [ToolCall] = []
  var toolCallID: String?
  var name: String?
  var created: Timestamp?
  var stopReason: StopReason?
  var model: ModelStamp?
  var statistics: Statistics?
  var tokens = TokenFields()

  mutating func read(_ key: String, _ cursor: inout JSONCursor) throws {
    if key == "tokens", try cursor.peek() == UInt8(ascii: "{") {
      try cursor.readObject { cursor, key in try tokens.read(key, &cursor) }
      return
    }
    let value = try cursor.readValue()
    switch key {
    case "id": id = value.intValue
    case "parent":
      // A parent that is no number is not none.
      parent = value == .null ? nil : value.intValue ?? -1
    case "role": role = value.stringValue.flatMap { Role(rawValue: $0) }
    case "content": content = value.stringValue
    case "reasoning": reasoning = value.stringValue
    case "tool_calls": toolCalls = value.arrayValue?.compactMap { ToolCall(json: $0) } ?? []
    case "tool_call_id": toolCallID = value.stringValue
    case "name": name = value.stringValue
    case "created": created = value.stringValue.flatMap { Timestamp(iso8601: $0) }
    case "stop_reason": stopReason = value.stringValue.flatMap { StopReason(rawValue: $0) }
    case "model": model = value.objectValue.flatMap { ModelStamp(json: $0) }
    case "statistics": statistics = value.objectValue.map { Statistics(json: $0) }
    default: break
    }
  }
}

/// The members of a record's tokens.
private struct TokenFields {
  private var prompt: [TokenID]?
  private var reply: [TokenID]?
  private var whole: ConversationTree.Rendering?
  private var startsInsideThinking = false

  mutating func read(_ key: String, _ cursor: inout JSONCursor) throws {
    switch key {
    case "prompt": prompt = try Self.ids(&cursor)
    case "reply": reply = try Self.ids(&cursor)
    case "whole":
      whole = try cursor.readValue().objectValue.map { .init(system: $0["system"]?.stringValue) }
    case "starts_inside_thinking":
      startsInsideThinking = try cursor.readValue().boolValue ?? false
    default: _ = try cursor.readValue()
    }
  }

  /// Ids straight from the text; nil for what is no list of them.
  private static func ids(_ cursor: inout JSONCursor) throws -> [TokenID]? {
    guard try cursor.peek() == UInt8(ascii: "[") else {
      _ = try cursor.readValue()
      return nil
    }
    var ids: [TokenID] = []
    var areIDs = true
    try cursor.readArray { cursor in
      if let id = try cursor.readValue().intValue.flatMap({ TokenID(exactly: $0) }), id >= 0 {
        ids.append(id)
      } else {
        areIDs = false
      }
    }
    return areIDs ? ids : nil
  }

  var value: ConversationTree.TurnTokens? {
    guard let prompt, let reply else { return nil }
    return ConversationTree.TurnTokens(
      prompt: prompt, whole: whole, startsInsideThinking: startsInsideThinking, reply: reply)
  }
}

extension ToolCall {
  fileprivate init?(json: JSONValue) {
    guard let name = json["name"]?.stringValue,
      let arguments = json["arguments"]?.stringValue
    else { return nil }
    self.init(id: json["id"]?.stringValue, name: name, arguments: arguments)
  }
}
