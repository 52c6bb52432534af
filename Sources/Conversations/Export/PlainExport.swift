import Inference

/// A conversation's active branch (`readPath`) as plain text.
struct PlainExport {
  let conversation: Conversation

  var text: String {
    var blocks = [conversation.title + "\n" + conversation.created.localText]
    if let system = conversation.settings.system, !system.isEmpty {
      blocks.append("System:\n" + system)
    }
    for node in conversation.tree.readPath {
      let speaker =
        switch node.message.role {
        case .system: "System"
        case .user: "User"
        case .assistant: "Assistant"
        case .tool: "Tool"
        }
      var text = speaker + ":\n" + node.message.content
      if let ending = node.ending { text += "\n(\(ending))" }
      blocks.append(text)
    }
    return blocks.joined(separator: "\n\n") + "\n"
  }
}
