import JSON

extension Conversation {
  /// A conversation as it was found.
  package struct Reading: Sendable {
    package var conversation: Conversation
    /// Whether the file is no whole JSON text, so that it can be kept only under another name.
    package var isDamaged: Bool
    /// The version of the form; later than the present one makes it read-only.
    package var version: Int
  }

  /// Makes sense of a file's bytes, as far as that can be done.
  ///
  /// The identifier is that of the file's name. `modified` stands in for times that are missing.
  ///
  /// - Throws: `DocumentError` when not even the beginning is that of a conversation.
  package static func read(
    _ bytes: [UInt8], id: ConversationID, modified: Timestamp,
    migrations: [Int: DocumentForm.Migration] = DocumentForm.migrations,
    version: Int = DocumentForm.version
  ) throws(DocumentError) -> Reading {
    var parts = try DocumentParts(bytes)
    guard parts.members["format"]?.stringValue == DocumentForm.name,
      let found = parts.members["version"]?.intValue
    else { throw .notAConversation }
    if found < version {
      parts = try migrated(bytes, from: found, to: version, migrations)
    }
    guard parts.hasMessages else { throw .notAConversation }

    var nodes: [ConversationTree.Node] = []
    var unreadable: [[UInt8]] = []
    var identifiers: Set<Int> = []
    for record in parts.records {
      if let node = ConversationTree.Node(record: record),
        identifiers.insert(node.id).inserted
      {
        nodes.append(node)
      } else {
        unreadable.append(record)
      }
    }
    // A message that is added must not be taken for one of these by who can read them.
    let reserved = unreadable.compactMap(ConversationTree.Node.identifier)
    let members = parts.members
    var tree = ConversationTree(nodes: nodes)
    for id in reserved { tree.reserve(id) }
    // A conversation may have gone back to before its first message; one whose end is unknown goes
    // on after its last.
    if members["leaf"] == .null { tree.leafID = nil }
    if let leaf = members["leaf"]?.intValue, tree[leaf] != nil { tree.leafID = leaf }
    func time(_ key: String) -> Timestamp? {
      members[key]?.stringValue.flatMap { Timestamp(iso8601: $0) }
    }
    var conversation = Conversation(
      id: id, created: time("created") ?? nodes.lazy.compactMap(\.created).first ?? modified,
      updated: time("updated") ?? modified,
      settings: ChatSettings(json: members["settings"]?.objectValue ?? JSONObject()), tree: tree)
    if members["title_is_chosen"]?.boolValue == true {
      conversation.chosenTitle = members["title"]?.stringValue.flatMap(ConversationTitle.chosen)
    }
    conversation.modelName = members["model"]?.stringValue
    conversation.isPinned = members["pinned"]?.boolValue ?? false
    conversation.deleted = time("deleted")
    conversation.unreadable = unreadable
    conversation.record = DocumentRecord(members: members)
    conversation.isReadOnly = found > version
    return Reading(conversation: conversation, isDamaged: parts.isDamaged, version: found)
  }

  private static func migrated(
    _ bytes: [UInt8], from found: Int, to version: Int,
    _ migrations: [Int: DocumentForm.Migration]
  ) throws(DocumentError) -> DocumentParts {
    do {
      guard case .object(var object) = try JSONReader.read(bytes) else {
        throw DocumentError.notAConversation
      }
      for step in found..<version {
        guard let migration = migrations[step] else { throw DocumentError.unknownVersion(found) }
        object = try migration(object)
      }
      return try DocumentParts(Array(JSONValue.object(object).text.utf8))
    } catch let error as DocumentError {
      throw error
    } catch let error as JSONError {
      throw .malformed(error)
    } catch {
      throw .notAConversation
    }
  }
}
