package import Inference

/// A conversation as a tree: a reply that is made again, or a message that is edited, becomes a
/// sibling of the one it replaces, and nothing is lost.
package struct ConversationTree: Sendable {
  package private(set) var nodes: [Node] = []
  /// The message that the conversation has come to; nil before the first.
  package var leafID: Int?

  private var positions: [Int: Int] = [:]
  private var nextID = 0

  package init() {}

  /// A tree of messages that were kept, of which no two have one identifier.
  init(nodes: [Node]) {
    for node in nodes { insert(node) }
    leafID = nodes.last?.id
  }

  /// Keeps an identifier from being given to a message that is added.
  mutating func reserve(_ id: Int) {
    nextID = max(nextID, id + 1)
  }

  /// The node with an identifier.
  ///
  /// O(1).
  package subscript(id: Int) -> Node? {
    positions[id].map { nodes[$0] }
  }

  package var leaf: Node? { leafID.flatMap { self[$0] } }

  /// The messages from the first to `id`, in order.
  ///
  /// O(depth).
  package func path(to id: Int?) -> [Node] {
    var path: [Node] = []
    var next = id
    while let id = next, let node = self[id] {
      path.append(node)
      // A message always comes after the one it follows, so that no file can make a circle.
      next = node.parentID.flatMap { $0 < id ? $0 : nil }
    }
    return path.reversed()
  }

  /// The active branch.
  package var path: [Node] { path(to: leafID) }

  /// Adds a message after `parentID` and makes it the leaf.
  @discardableResult
  package mutating func append(
    _ message: ChatMessage, after parentID: Int?, created: Timestamp? = nil
  ) -> Int {
    let id = nextID
    insert(Node(id: id, parentID: parentID, message: message, created: created))
    leafID = id
    return id
  }

  /// Changes what is known of a message; what does not exist is not changed.
  package mutating func update(_ id: Int, _ change: (inout Node) -> Void) {
    guard let position = positions[id] else { return }
    change(&nodes[position])
    nodes[position].isChanged = true
  }

  /// Takes away a message that nothing follows; what it followed becomes the leaf.
  package mutating func removeLast(_ id: Int) {
    guard let node = nodes.last, node.id == id else { return }
    nodes.removeLast()
    positions[id] = nil
    if leafID == id { leafID = node.parentID }
  }

  /// Puts a message in place of the one with its identifier, or adds it.
  mutating func put(_ node: Node) {
    if let position = positions[node.id] { nodes[position] = node } else { insert(node) }
  }

  /// Has the records of messages that are new or changed at hand, so that they are made once; those
  /// of replies under way are soon others.
  mutating func keepRecords() {
    for position in nodes.indices {
      let node = nodes[position]
      let isUnderWay = node.message.role == .assistant && node.stopReason == nil
      guard !isUnderWay, node.record == nil || node.isChanged else { continue }
      nodes[position].record = node.encoded
      nodes[position].isChanged = false
    }
  }

  private mutating func insert(_ node: Node) {
    positions[node.id] = nodes.count
    nodes.append(node)
    nextID = max(nextID, node.id + 1)
  }
}
