import Inference
import JSON

/// A form in which a conversation leaves Pipit.
package enum ExportForm: String, Sendable, CaseIterable {
  /// The active branch for people.
  case markdown = "md"
  /// All of it, as it is kept.
  case json
  /// The active branch, as plain text.
  case text = "txt"
}

extension Conversation {
  /// The conversation in another form; ends with a line break.
  package func exported(_ form: ExportForm) -> String {
    switch form {
    case .json: exportedJSON
    case .markdown: MarkdownExport(conversation: self).text
    case .text: PlainExport(conversation: self).text
    }
  }

  /// The document; what a later Pipit has written is as it was.
  private var exportedJSON: String {
    var copy = self
    copy.isReadOnly = false
    let version = record?.members["version"]
    let text = String(decoding: copy.encodeDocument(), as: UTF8.self)
    guard isReadOnly, let version,
      case .object(let object)? = try? JSONReader.read(Array(text.utf8), form: .lenient)
    else { return text }
    return JSONValue.members(Array(object) + [("version", version)]).text + "\n"
  }
}

extension ConversationTree.Node {
  /// What a reader has to know of how the reply ended; nil when nothing.
  var ending: String? {
    guard isInterrupted else { return nil }
    return stopReason == .context ? "cut: the context was full" : "interrupted"
  }
}
