package import Inference
package import Tokenizers

/// A conversation as a tree: a reply that is made again, or a message that is edited, becomes a
/// sibling of the one it replaces, and nothing is lost.
package struct ConversationTree: Sendable, Hashable, Codable {
  /// One message and its place.
  package struct Node: Sendable, Hashable, Codable, Identifiable {
    package let id: Int
    /// The message that this one follows; nil for the first.
    package let parentID: Int?
    package var message: ChatMessage
    /// Of a reply: its tokens, and those that came before it.
    package var tokens: TurnTokens?
    /// Of a reply: how it went.
    package var statistics: Statistics?

    package enum CodingKeys: String, CodingKey {
      case id, message, tokens, statistics
      case parentID = "parent_id"
    }
  }

  /// The tokens of one turn, as they were fed and sampled; earlier turns are never rendered again.
  package struct TurnTokens: Sendable, Hashable, Codable {
    /// What was fed before the reply: all of the conversation, or what follows the last reply.
    package var prompt: [TokenID]
    /// Whether `prompt` begins the conversation anew rather than following the turns before it.
    package var isWhole: Bool
    /// The reply as sampled.
    package var reply: [TokenID]

    package init(prompt: [TokenID], isWhole: Bool, reply: [TokenID]) {
      self.prompt = prompt
      self.isWhole = isWhole
      self.reply = reply
    }

    package enum CodingKeys: String, CodingKey {
      case prompt, reply
      case isWhole = "is_whole"
    }
  }

  package private(set) var nodes: [Node] = []
  /// The message that the conversation has come to; nil before the first.
  package var leafID: Int?

  package init() {}

  /// The node with an identifier.
  ///
  /// Identifiers are positions, so this is O(1).
  package subscript(id: Int) -> Node? {
    nodes.indices.contains(id) ? nodes[id] : nil
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
      next = node.parentID
    }
    return path.reversed()
  }

  /// The active branch.
  package var path: [Node] { path(to: leafID) }

  /// All tokens of the branch that ends with `id`; empty when it has no reply.
  package func tokens(to id: Int?) -> [TokenID] {
    var tokens: [TokenID] = []
    for turn in path(to: id).compactMap(\.tokens) {
      if turn.isWhole { tokens.removeAll() }
      tokens += turn.prompt
      tokens += turn.reply
    }
    return tokens
  }

  /// Adds a message after `parentID` and makes it the leaf.
  @discardableResult
  package mutating func append(
    _ message: ChatMessage, after parentID: Int?, tokens: TurnTokens? = nil,
    statistics: Statistics? = nil
  ) -> Int {
    let id = nodes.count
    nodes.append(
      Node(
        id: id, parentID: parentID, message: message, tokens: tokens, statistics: statistics))
    leafID = id
    return id
  }
}
