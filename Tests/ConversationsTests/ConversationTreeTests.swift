import Conversations
import Inference
import Testing

@Suite struct ConversationTreeTests {
  @Test func branchesShareWhatCameBefore() {
    var tree = ConversationTree()
    let question = tree.append(ChatMessage(.user, "q"), after: nil)
    let first = tree.append(
      ChatMessage(.assistant, "a"), after: question,
      tokens: .init(prompt: [1, 2], isWhole: true, reply: [3]))
    let second = tree.append(
      ChatMessage(.assistant, "b"), after: question,
      tokens: .init(prompt: [1, 2], isWhole: true, reply: [4]))
    let next = tree.append(ChatMessage(.user, "q2"), after: second)
    #expect(tree.path.map(\.message.content) == ["q", "b", "q2"])
    #expect(tree.path(to: first).map(\.message.content) == ["q", "a"])
    #expect(tree.tokens(to: next) == [1, 2, 4])
    #expect(tree.tokens(to: first) == [1, 2, 3])
    #expect(tree.tokens(to: question) == [])
  }

  @Test func aTurnThatIsWholeForgetsTheTokensBefore() {
    var tree = ConversationTree()
    var id = tree.append(ChatMessage(.user, "q"), after: nil)
    id = tree.append(
      ChatMessage(.assistant, "a"), after: id,
      tokens: .init(prompt: [1], isWhole: true, reply: [2]))
    id = tree.append(ChatMessage(.user, "q"), after: id)
    id = tree.append(
      ChatMessage(.assistant, "a"), after: id,
      tokens: .init(prompt: [3], isWhole: false, reply: [4]))
    #expect(tree.tokens(to: id) == [1, 2, 3, 4])
    id = tree.append(
      ChatMessage(.assistant, "a"), after: id,
      tokens: .init(prompt: [5], isWhole: true, reply: [6]))
    #expect(tree.tokens(to: id) == [5, 6])
  }

  @Test func unknownIdentifiersAreNowhere() {
    let tree = ConversationTree()
    #expect(tree[0] == nil)
    #expect(tree[-1] == nil)
    #expect(tree.leaf == nil)
    #expect(tree.path.isEmpty)
  }
}
