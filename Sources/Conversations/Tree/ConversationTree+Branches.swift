import Inference

extension ConversationTree {
  /// The replies to a message, in order.
  package func replies(to id: Int?) -> [Node] {
    nodes.filter { $0.parentID == id && $0.message.role == .assistant }
  }

  /// A way through the tree, from the first message to one that nothing follows.
  package struct Branch: Sendable, Hashable, Identifiable {
    /// Its last message.
    package var leafID: Int
    package var messageCount: Int
    /// When its last message was said.
    package var updated: Timestamp?
    package var isActive: Bool

    package var id: Int { leafID }
  }

  /// All branches, the one that was added last at the end.
  ///
  /// The active branch may end before its last message; it then counts once more with its own end.
  package var branches: [Branch] {
    var parents: Set<Int> = []
    for node in nodes { if let parent = node.parentID { parents.insert(parent) } }
    var ends = nodes.map(\.id).filter { !parents.contains($0) || $0 == leafID }
    ends.sort()
    return ends.map { end in
      Branch(
        leafID: end, messageCount: path(to: end).count, updated: self[end]?.created,
        isActive: end == leafID)
    }
  }

  /// The branch to read: the active one, or where that was taken back to before its first message,
  /// the one that was added last.
  package var readPath: [Node] {
    leafID == nil ? path(to: branches.last?.leafID) : path
  }

  /// The messages that stand in one place, `id` among them, in the order they were made.
  package func siblings(of id: Int) -> [Int] {
    guard let node = self[id] else { return [] }
    return nodes.filter {
      $0.parentID == node.parentID && $0.message.role == node.message.role
    }.map(\.id)
  }

  /// The end of the branch that goes on from `id`, by its latest message each time.
  package func latestLeaf(from id: Int) -> Int {
    var children: [Int: Int] = [:]
    for node in nodes {
      if let parent = node.parentID { children[parent] = max(children[parent] ?? 0, node.id) }
    }
    var leaf = id
    while let next = children[leaf], next > leaf { leaf = next }
    return leaf
  }
}
