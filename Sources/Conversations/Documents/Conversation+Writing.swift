import JSON

extension Conversation {
  /// The whole document, of the present form.
  ///
  /// O(its size), most of which is copied as it was read or written before.
  package mutating func encodeDocument() -> [UInt8] {
    precondition(!isReadOnly, "a document of a later version is not written")
    tree.keepRecords()
    var bytes = Array(header.utf8)
    bytes.removeLast()
    bytes += Array(#","messages":["#.utf8)
    var separator = Array("\n".utf8)
    for record in tree.nodes.lazy.map(\.encoded) + unreadable {
      bytes += separator
      bytes += record
      separator = Array(",\n".utf8)
    }
    bytes += Array("\n]}\n".utf8)
    return bytes
  }

  private var header: String {
    let known: [(String, JSONValue)] = [
      ("format", .string(DocumentForm.name)), ("version", .integer(DocumentForm.version)),
      ("id", .string(id.description)), ("title", .string(title)),
      ("title_is_chosen", .bool(chosenTitle != nil)), ("created", .string(created.iso8601)),
      ("updated", .string(updated.iso8601)), ("model", .optional(modelName)),
      ("pinned", .bool(isPinned)), ("deleted", .optional(deleted?.iso8601)),
      ("leaf", .optional(tree.leafID)),
    ]
    let old = record?.members ?? JSONObject()
    let settings = settings.json(over: old["settings"]?.objectValue ?? JSONObject())
    return JSONValue.members(Array(old) + known + [("settings", .object(settings))]).text
  }
}
