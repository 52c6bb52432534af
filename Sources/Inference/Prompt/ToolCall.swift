/// A call of a tool that an assistant message asks for.
package struct ToolCall: Codable, Sendable, Hashable {
  package var id: String?
  package var name: String
  /// The arguments as JSON text, so that their order and numbers stay as the model wrote them.
  package var arguments: String

  package init(id: String? = nil, name: String, arguments: String) {
    self.id = id
    self.name = name
    self.arguments = arguments
  }
}
