import Conversations
import Inference
import Testing
import Tokenizers

@Suite struct ConversationTreeTests {
  private static let model = ModelStamp(
    name: "m", architecture: "a", parameterCount: 1, byteCount: 1, vocabularyCount: 1)

  /// A turn of the user and its reply; the reply's identifier.
  private func turn(
    _ tree: inout ConversationTree, after parent: Int?, prompt: [TokenID], reply: [TokenID],
    whole: ConversationTree.Rendering? = nil, model: ModelStamp = Self.model
  ) -> Int {
    let question = tree.append(ChatMessage(.user, "q"), after: parent)
    return self.reply(&tree, to: question, prompt: prompt, reply: reply, whole: whole, model)
  }

  private func reply(
    _ tree: inout ConversationTree, to question: Int, prompt: [TokenID], reply: [TokenID],
    whole: ConversationTree.Rendering? = nil, _ model: ModelStamp = Self.model
  ) -> Int {
    let id = tree.append(ChatMessage(.assistant, "\(reply)"), after: question)
    tree.update(id) { node in
      node.tokens = .init(prompt: prompt, whole: whole, reply: reply)
      node.model = model
    }
    return id
  }

  private let plain = ConversationTree.Rendering(system: nil)

  @Test func branchesShareWhatCameBefore() {
    var tree = ConversationTree()
    let first = turn(&tree, after: nil, prompt: [1, 2], reply: [3], whole: plain)
    let second = reply(&tree, to: 0, prompt: [1, 2], reply: [4], whole: plain)
    let next = tree.append(ChatMessage(.user, "q2"), after: second)
    #expect(tree.path.map(\.message.content) == ["q", "[4]", "q2"])
    #expect(tree.path(to: first).map(\.message.content) == ["q", "[3]"])
    #expect(tree.history(to: next)?.tokens == [1, 2, 4])
    #expect(tree.history(to: first)?.tokens == [1, 2, 3])
    #expect(tree.history(to: 0) == nil)
    #expect(tree.siblings(of: first) == [first, second])
    #expect(tree.branches.map(\.leafID) == [first, next])
    #expect(tree.branches.map(\.messageCount) == [2, 3])
    #expect(tree.branches.map(\.isActive) == [false, true])
    #expect(tree.latestLeaf(from: 0) == next)
    tree.leafID = second
    #expect(tree.branches.map(\.leafID) == [first, second, next])
  }

  @Test func aTurnThatIsWholeForgetsTheTokensBefore() {
    var tree = ConversationTree()
    let other = ConversationTree.Rendering(system: "S")
    let first = turn(&tree, after: nil, prompt: [1], reply: [2], whole: plain)
    let second = turn(&tree, after: first, prompt: [3], reply: [4])
    #expect(tree.history(to: second)?.tokens == [1, 2, 3, 4])
    #expect(tree.history(to: second)?.rendering == plain)
    let third = turn(&tree, after: second, prompt: [5], reply: [6], whole: other)
    #expect(tree.history(to: third)?.tokens == [5, 6])
    #expect(tree.history(to: third)?.rendering == other)
  }

  @Test func tokensThatAreNotAllKnownAreNone() {
    var tree = ConversationTree()
    let first = turn(&tree, after: nil, prompt: [1], reply: [2], whole: plain)
    let second = turn(&tree, after: first, prompt: [3], reply: [4])
    let third = turn(&tree, after: second, prompt: [5], reply: [6])
    tree.update(second) { $0.tokens = nil }
    #expect(tree.history(to: third) == nil)
    let fourth = turn(&tree, after: third, prompt: [7], reply: [8], whole: plain)
    #expect(tree.history(to: fourth)?.tokens == [7, 8])
  }

  @Test func theModelsOfAllTokensAreKnown() {
    var tree = ConversationTree()
    var other = Self.model
    other.name = "n"
    let first = turn(&tree, after: nil, prompt: [1], reply: [2], whole: plain)
    let second = turn(&tree, after: first, prompt: [3], reply: [4], model: other)
    #expect(tree.history(to: second)?.models == [Self.model, other])
    #expect(!other.isSame(as: Self.model))
    other.digest = "1"
    var known = Self.model
    known.digest = "1"
    #expect(other.isSame(as: known))
    known.digest = "2"
    #expect(!other.isSame(as: known))
  }

  @Test func unknownIdentifiersAreNowhere() {
    let tree = ConversationTree()
    #expect(tree[0] == nil)
    #expect(tree[-1] == nil)
    #expect(tree.leaf == nil)
    #expect(tree.path.isEmpty)
    #expect(tree.branches.isEmpty)
    #expect(tree.siblings(of: 3) == [])
  }
}
