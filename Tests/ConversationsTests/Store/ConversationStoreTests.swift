import Conversations
import Foundation
import Inference
import TestSupport
import Testing

@Suite struct ConversationStoreTests {
  private let fixture: StoreFixture

  init() throws {
    fixture = try StoreFixture()
  }

  private static let day = 86_400_000

  @Test func listsAreGroupedByDay() async throws {
    let now = try #require(Timestamp(iso8601: "2026-11-30T12:00:00Z"))
    func ago(_ days: Int) -> Timestamp { Timestamp(milliseconds: now.milliseconds - days * Self.day) }
    for (days, title) in [
      (0, "today"), (1, "yesterday"), (3, "week"), (20, "month"), (45, "autumn"), (400, "old"),
    ] {
      try await fixture.keep([title, "x"], updated: ago(days))
    }
    let pinned = try await fixture.keep(["pinned"], updated: ago(500))
    try await fixture.store.setPinned(pinned, true)
    let groups = try await fixture.store.list().grouped(now: now)
    #expect(
      groups.map(\.heading) == [
        "Pinned", "Today", "Yesterday", "Previous 7 days", "Previous 30 days", "October 2026",
        "October 2025",
      ])
    #expect(
      groups.flatMap(\.summaries).map(\.title) == [
        "pinned", "today", "yesterday", "week", "month", "autumn", "old",
      ])
    try await fixture.store.setPinned(pinned, false)
    #expect(try await fixture.store.list().grouped(now: now).first?.heading == "Today")
  }

  @Test func aListReadsOnlyWhatHasChanged() async throws {
    let ids = [try await fixture.keep(["a"]), try await fixture.keep(["b"])]
    _ = try await fixture.store.list()
    let system = FaultySystem()
    let store = fixture.another(system: system)
    #expect(try await store.list().summaries.count == 2)
    // The index alone is opened, and nothing is written.
    #expect(system.calls.count { $0 == .open } == 1)
    #expect(!system.calls.contains(.write))
    try await fixture.store.rename(ids[0], to: "A")
    try FileManager.default.removeItem(atPath: fixture.directory + "/index.json")
    let rebuilt = try await fixture.another().list()
    #expect(rebuilt.summaries.map(\.title).sorted() == ["A", "b"])
    #expect(try await fixture.another().list().summaries == rebuilt.summaries)
  }

  @Test func whatTheIndexDoesNotKnowIsFound() async throws {
    let first = try await fixture.keep(["a"])
    let index = fixture.directory + "/index.json"
    let old = try Data(contentsOf: URL(filePath: index))
    try await fixture.store.rename(first, to: "renamed")
    let second = try await fixture.keep(["b"])
    let third = try await fixture.keep(["c"])
    try await fixture.store.purge(third)
    // As if nobody had got to write it.
    try old.write(to: URL(filePath: index))
    let list = try await fixture.another().list()
    #expect(Set(list.summaries.map(\.id)) == [first, second])
    #expect(list.summaries.first { $0.id == first }?.title == "renamed")
    #expect(list.problems.isEmpty)
  }

  @Test(arguments: ["", "{", "[]", #"{"format":"pipit index","version":1,"conversations":[{]}"#])
  func aDamagedIndexIsSetAsideAndMadeAnew(_ text: String) async throws {
    try await fixture.keep(["a"])
    let path = fixture.directory + "/index.json"
    try Data(text.utf8).write(to: URL(filePath: path))
    let list = try await fixture.store.list()
    #expect(list.summaries.map(\.title) == ["a"])
    #expect(list.problems.count == 1)
    let aside = try #require(fixture.names.first { $0.hasPrefix("index.json.corrupt-") })
    #expect(
      try String(contentsOfFile: fixture.directory + "/" + aside, encoding: .utf8) == text)
    #expect(try await fixture.another().list().problems.isEmpty)
  }

  @Test func aLaterIndexIsLeftAlone() async throws {
    try await fixture.keep(["a"])
    let path = fixture.directory + "/index.json"
    let later = #"{"format":"pipit index","version":2,"conversations":[],"more":1}"#
    try Data(later.utf8).write(to: URL(filePath: path))
    #expect(try await fixture.store.list().summaries.map(\.title) == ["a"])
    try await fixture.keep(["b"])
    #expect(try await fixture.store.list().summaries.count == 2)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == later)
  }

  @Test func identifiersMayBeShortened() async throws {
    let id = try await fixture.keep(["a"])
    #expect(try await fixture.store.find(id.short) == id)
    #expect(try await fixture.store.find(id.description.uppercased()) == id)
    for text in ["", "zz", id.description + "0"] {
      await #expect(throws: ConversationError.notFound(text)) { try await fixture.store.find(text) }
    }
    for _ in 0..<40 { try await fixture.keep(["b"]) }
    await #expect {
      for digit in "0123456789abcdef" { _ = try await fixture.store.find(String(digit)) }
    } throws: { error in
      guard case ConversationError.ambiguous = error else {
        return "\(error)".hasPrefix("There is no conversation")
      }
      return true
    }
  }

  @Test func theTrashGivesBack() async throws {
    let ids = [
      try await fixture.keep(["a"]), try await fixture.keep(["b"]), try await fixture.keep(["c"]),
    ]
    try await fixture.store.delete(ids[0])
    try await Task.sleep(for: .milliseconds(5))
    try await fixture.store.delete(ids[1])
    #expect(try await fixture.store.list().summaries.map(\.id) == [ids[2]])
    #expect(try await fixture.store.list(includingDeleted: true).summaries.count == 3)
    #expect(try await fixture.store.search("b").isEmpty)
    #expect(try await fixture.store.undoDelete()?.id == ids[1])
    try await fixture.store.restore(ids[0])
    #expect(try await fixture.store.list().summaries.count == 3)
    #expect(try await fixture.store.undoDelete() == nil)
    await #expect(throws: ConversationError.notDeleted(ids[0])) {
      try await fixture.store.restore(ids[0])
    }
  }

  @Test func purgingLeavesNothing() async throws {
    let id = try await fixture.keep(["a"])
    let other = try await fixture.keep(["b"])
    let sessions = fixture.scratch.path + "/sessions"
    try FileManager.default.createDirectory(atPath: sessions, withIntermediateDirectories: true)
    for name in [id, other] {
      try Data("state".utf8).write(to: URL(filePath: sessions + "/\(name).state"))
    }
    for suffix in [".reply.json", ".json.corrupt-20261130T095414Z"] {
      try Data("x".utf8).write(to: URL(filePath: fixture.directory + "/conversation-\(id)\(suffix)"))
    }
    try await fixture.store.purge(id)
    #expect(!fixture.names.contains { $0.contains(id.description) })
    #expect(try FileManager.default.contentsOfDirectory(atPath: sessions) == ["\(other).state"])
    #expect(try await fixture.store.list().summaries.map(\.id) == [other])
    await #expect(throws: ConversationError.notFound(id.description)) {
      try await fixture.store.purge(id)
    }
  }

  @Test func whatAKilledProcessLeavesBesideIsClearedAway() async throws {
    let id = try await fixture.keep(["a"])
    let dead = ConversationID()
    for name in [
      "conversation-\(id).json.tmp", "conversation-\(id).lock", "conversation-\(dead).lock",
      "conversation-\(dead).json.tmp",
    ] {
      try Data("half".utf8).write(to: URL(filePath: fixture.directory + "/" + name))
    }
    #expect(try await fixture.store.list().summaries.count == 1)
    #expect(fixture.names == ["conversation-\(id).json", "index.json", "index.lock"])
  }

  @Test func aReplyBesideIsTakenUpOnlyIfItGoesOn() async throws {
    let (engine, id) = try await half()
    let path = fixture.directory + "/conversation-\(id).reply.json"
    func reply(_ tokens: [Int], parent: Int = 0, id: Int = 1) throws {
      let text = """
        {"id":\(id),"parent":\(parent),"role":"assistant","content":"\(tokens.count)",\
        "tokens":{"prompt":[1],"reply":\(tokens)}}
        """
      try Data(text.utf8).write(to: URL(filePath: path))
    }
    func content() async throws -> String? {
      try await fixture.another().load(id).tree.leaf?.message.content
    }
    let known = Array("half".utf8).map { Int($0) }
    try reply(known + [1, 2])
    #expect(try await content() == "6")
    try reply([1] + known)
    #expect(try await content() == "half")
    try reply(known.dropLast())
    #expect(try await content() == "half")
    try reply(known + [1], parent: 7, id: 8)
    #expect(try await content() == "half")
    try Data("{".utf8).write(to: URL(filePath: path))
    #expect(try await content() == "half")
    _ = engine
  }

  /// A conversation whose reply was stopped after "half".
  private func half() async throws -> (ScriptedEngine, ConversationID) {
    let engine = ScriptedEngine(EngineScript(replies: [[.text("half"), .stop(.cancelled)]]))
    try await engine.load(
      ModelReference(name: "m", path: ""), budget: MemoryBudget(), progress: { _ in })
    let session = ChatSession(engine: engine, settings: ChatSettings(), storage: fixture.store)
    _ = try await session.send("a") { _ in }
    await session.close()
    return (engine, try #require(try await fixture.store.latest()?.id))
  }

  /// An exported branch, for people and for other programs.
  @Test func exports() async throws {
    let id = try await fixture.keep(["What is `x`?", "It is\n\n```swift\nlet x = 1\n```", "Thanks"])
    let conversation = try await fixture.store.load(id)
    let markdown = conversation.exported(.markdown)
    #expect(markdown.hasPrefix("# What is \\`x\\`?\n\n*"))
    #expect(markdown.contains("## Assistant\n\nIt is\n\n```swift\nlet x = 1\n```\n\n## User\n\nThanks\n"))
    #expect(conversation.exported(.text).contains("User:\nThanks\n"))
    #expect(try conversation.exported(.json) == fixture.text(id))
  }
}
