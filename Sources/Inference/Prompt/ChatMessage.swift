/// One message of a conversation.
package struct ChatMessage: Codable, Sendable, Hashable {
  package var role: Role
  package var content: String
  /// What the assistant thought before `content`, without the markers around it.
  package var reasoning: String?
  package var toolCalls: [ToolCall]
  /// Of a tool message: which call it answers.
  package var toolCallID: String?
  /// Of a tool message: the name of the tool.
  package var name: String?

  package init(
    _ role: Role, _ content: String, reasoning: String? = nil, toolCalls: [ToolCall] = [],
    toolCallID: String? = nil, name: String? = nil
  ) {
    self.role = role
    self.content = content
    self.reasoning = reasoning
    self.toolCalls = toolCalls
    self.toolCallID = toolCallID
    self.name = name
  }
}
