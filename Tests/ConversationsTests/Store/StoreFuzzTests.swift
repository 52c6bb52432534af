import Conversations
import Foundation
import Inference
import TestSupport
import Testing

/// Damaged files of every kind: nothing crashes, and no byte of theirs is lost.
@Suite struct StoreFuzzTests {
  /// Each mutation writes files, so they are as many as the disk can bear.
  private static func iterations(usual: Int) -> Int { min(Mutator.iterations(usual: usual), 10_000) }

  private func document() throws -> [UInt8] {
    let path = StoreFixture.document.path("documents/version-1.json")
    return [UInt8](try Data(contentsOf: URL(filePath: path)))
  }

  /// Whether a file of the store still has these bytes.
  private func isKept(_ bytes: [UInt8], _ fixture: StoreFixture, _ prefix: String) -> Bool {
    fixture.names.contains { name in
      guard name.hasPrefix(prefix) else { return false }
      let found = try? Data(contentsOf: URL(filePath: fixture.directory + "/" + name))
      return found.map { [UInt8]($0) } == bytes
    }
  }

  @Test func conversations() async throws {
    let sound = try document()
    var mutator = Mutator(seed: 71)
    let fixture = try StoreFixture()
    var opened = 0
    for _ in 0..<Self.iterations(usual: 300) {
      let id = ConversationID()
      let bytes = mutator.mutate(sound)
      try fixture.write("", id)
      try Data(bytes).write(to: URL(filePath: fixture.path(id)))
      do {
        let (open, conversation, problems) = try await fixture.store.open(id)
        opened += 1
        #expect(isKept(bytes, fixture, "conversation-\(id)"))
        #expect(problems.isEmpty || !conversation.tree.nodes.isEmpty || !problems.isEmpty)
        // What is written now is whole.
        var copy = conversation
        let again = try Conversation.read(copy.encodeDocument(), id: id, modified: .now)
        #expect(!again.isDamaged)
        #expect(again.conversation.tree.nodes.count == conversation.tree.nodes.count)
        _ = open
      } catch is ConversationError {
        #expect(isKept(bytes, fixture, "conversation-\(id)"))
      }
      try await purge(id, fixture)
    }
    #expect(opened > 10)
  }

  private func purge(_ id: ConversationID, _ fixture: StoreFixture) async throws {
    for name in fixture.names where name.hasPrefix("conversation-\(id)") {
      try FileManager.default.removeItem(atPath: fixture.directory + "/" + name)
    }
  }

  @Test func replies() async throws {
    let fixture = try StoreFixture()
    let id = try await fixture.keep(["a", "A", "b"])
    let sound = Array(
      #"{"id":3,"parent":2,"role":"assistant","content":"B","tokens":{"prompt":[1],"reply":[2,3]}}"#
        .utf8)
    var mutator = Mutator(seed: 72)
    for _ in 0..<Self.iterations(usual: 200) {
      let path = fixture.directory + "/conversation-\(id).reply.json"
      try Data(mutator.mutate(sound)).write(to: URL(filePath: path))
      let tree = try await fixture.store.load(id).tree
      #expect(tree.nodes.prefix(3).map(\.message.content) == ["a", "A", "b"])
    }
  }

  @Test func indexes() async throws {
    let fixture = try StoreFixture()
    for text in ["a", "b", "c"] { try await fixture.keep([text]) }
    let titles = ["a", "b", "c"]
    _ = try await fixture.store.list()
    let path = fixture.directory + "/index.json"
    let sound = [UInt8](try Data(contentsOf: URL(filePath: path)))
    var mutator = Mutator(seed: 73)
    for _ in 0..<Self.iterations(usual: 200) {
      let bytes = mutator.mutate(sound)
      try Data(bytes).write(to: URL(filePath: path))
      let list = try await fixture.another().list()
      #expect(list.summaries.count == titles.count)
      if !list.problems.isEmpty { #expect(isKept(bytes, fixture, "index.json.corrupt-")) }
      // Writing one line of it must not go by its layout alone.
      try Data(bytes).write(to: URL(filePath: path))
      let id = try #require(list.summaries.last?.id)
      try await fixture.store.setPinned(id, Bool.random())
      #expect(try await fixture.another().list().summaries.count == titles.count)
      for name in fixture.names where name.contains("corrupt") {
        try FileManager.default.removeItem(atPath: fixture.directory + "/" + name)
      }
    }
  }
}
