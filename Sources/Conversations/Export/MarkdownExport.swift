import Inference

/// A conversation's active branch (`readPath`) as Markdown: a heading for each message, the text as
/// it was written, thoughts as a quotation.
struct MarkdownExport {
  let conversation: Conversation

  var text: String {
    var blocks = ["# \(Self.plain(conversation.title))", facts]
    if let system = conversation.settings.system, !system.isEmpty {
      blocks += ["## System", system]
    }
    for node in conversation.tree.readPath {
      blocks.append("## \(Self.heading(node))")
      if let reasoning = node.message.reasoning, !reasoning.isEmpty {
        blocks.append(Self.quoted(reasoning))
      }
      if !node.message.content.isEmpty { blocks.append(node.message.content) }
      for call in node.message.toolCalls {
        let fence = Self.fence(for: call.arguments)
        blocks.append("\(call.name):\n\n\(fence)json\n\(call.arguments)\n\(fence)")
      }
      if let ending = node.ending { blocks.append("*(\(ending))*") }
    }
    return blocks.map { Self.trimmed($0) }.joined(separator: "\n\n") + "\n"
  }

  private var facts: String {
    let model = conversation.modelName.map { ", " + Self.plain($0) } ?? ""
    return "*\(conversation.created.localText)\(model)*"
  }

  private static func heading(_ node: ConversationTree.Node) -> String {
    switch node.message.role {
    case .system: "System"
    case .user: "User"
    case .assistant: node.model.map { "Assistant (\(plain($0.name)))" } ?? "Assistant"
    case .tool: node.message.name.map { "Tool (\(plain($0)))" } ?? "Tool"
    }
  }

  /// Text that is not to be taken for markup.
  private static func plain(_ text: String) -> String {
    var result = ""
    for character in text {
      if "\\`*_[]<>#|".contains(character) { result += "\\" }
      result.append(character)
    }
    return result
  }

  private static func quoted(_ text: String) -> String {
    trimmed(text).split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? ">" : "> " + $0 }.joined(separator: "\n")
  }

  /// More backticks than any run of them in the text.
  private static func fence(for text: String) -> String {
    var longest = 2
    var run = 0
    for character in text {
      run = character == "`" ? run + 1 : 0
      longest = max(longest, run)
    }
    return String(repeating: "`", count: longest + 1)
  }

  private static func trimmed(_ text: String) -> String {
    var text = text[...]
    while text.first?.isNewline == true { text.removeFirst() }
    while text.last?.isNewline == true { text.removeLast() }
    return String(text)
  }
}
