import Inference
import JSON

/// A conversation as the store has it.
struct ExaminedConversation {
  var conversation: Conversation
  var status: FileStatus
  var problems: [StoreProblem] = []
  /// The version of its form, if that is later than this Pipit's.
  var laterVersion: Int?
}

extension ConversationStore {
  /// Reads a conversation with the reply that may lie beside it; what is damaged is set aside,
  /// unless another process is at it.
  ///
  /// - Throws: `ConversationError.notFound`, `ConversationError.damaged`, `StoreFailure`.
  func examine(_ id: ConversationID, isLocked: Bool) throws -> ExaminedConversation {
    let name = StoreNames.document(id)
    guard let (bytes, status) = try files.readWithStatus(name) else {
      throw ConversationError.notFound(id.description)
    }
    let reading: Conversation.Reading
    do {
      reading = try Conversation.read(
        bytes, id: id, modified: Timestamp(milliseconds: status.modified / 1_000_000))
    } catch {
      throw ConversationError.damaged(id, setAside: try setAside(id, bytes, isLocked: isLocked))
    }
    let isLater = reading.version > DocumentForm.version
    var found = ExaminedConversation(
      conversation: reading.conversation, status: status,
      laterVersion: isLater ? reading.version : nil)
    let path = files.path(name)
    if reading.isDamaged {
      if isLater {
        found.problems.append(.damaged(path: path))
      } else {
        try rescue(&found, bytes, isLocked: isLocked)
      }
    } else if found.conversation.unreadableRecords > 0 {
      let count = found.conversation.unreadableRecords
      found.problems.append(.unreadableRecords(path: path, count: count))
    }
    if !isLater { takeUpReply(&found.conversation) }
    return found
  }

  /// Keeps a damaged file under another name; nil when it had to stay.
  private func setAside(
    _ id: ConversationID, _ bytes: [UInt8], isLocked: Bool
  ) throws -> String? {
    let name = StoreNames.document(id)
    let open = isLocked ? nil : try lock(id)
    guard isLocked || open != nil else { return nil }
    return try withExtendedLifetime(open) {
      // Another process may have dealt with it before the lock was had.
      guard try files.read(name) == bytes else { return nil }
      return files.path(try files.setAside(name, at: .now))
    }
  }

  /// Keeps a damaged file under another name, and what could be read of it under its own.
  private func rescue(
    _ found: inout ExaminedConversation, _ bytes: [UInt8], isLocked: Bool
  ) throws {
    let id = found.conversation.id
    let count = found.conversation.tree.nodes.count
    let open = isLocked ? nil : try lock(id)
    guard isLocked || open != nil else {
      found.problems.append(.damaged(path: files.path(StoreNames.document(id))))
      return
    }
    try withExtendedLifetime(open) {
      guard try files.read(StoreNames.document(id)) == bytes else { return }
      let aside = files.path(try files.setAside(StoreNames.document(id), at: .now))
      if count == 0, found.conversation.unreadableRecords == 0 {
        throw ConversationError.damaged(id, setAside: aside)
      }
      found.status = try files.write(
        StoreNames.document(id), found.conversation.encodeDocument())
      found.problems.append(.setAside(path: aside, kept: count))
    }
  }

  // MARK: The reply beside

  /// Adds the reply that was under way when nobody was left to finish it.
  private func takeUpReply(_ conversation: inout Conversation) {
    guard let bytes = try? files.read(StoreNames.reply(conversation.id)) else { return }
    noteReplyFile(conversation.id)
    guard let node = ConversationTree.Node(record: bytes) else { return }
    conversation.tree.takeUp(node)
  }
}

extension ConversationTree {
  /// Puts a reply in, or in place of what is known of it if that is a beginning of it.
  fileprivate mutating func takeUp(_ node: Node) {
    guard let reply = node.tokens?.reply, node.message.role == .assistant,
      let parent = node.parentID, self[parent] != nil
    else { return }
    if let known = self[node.id] {
      guard known.parentID == node.parentID, let before = known.tokens?.reply,
        before.count < reply.count, reply.starts(with: before)
      else { return }
    }
    put(node)
    leafID = node.id
  }
}
