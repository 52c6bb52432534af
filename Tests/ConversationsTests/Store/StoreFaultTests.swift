import Conversations
import Foundation
import Glibc
import Inference
import TestSupport
import Testing

/// Every system call of a chat goes wrong once, in every way: whatever was kept before is there
/// afterwards, and opens.
@Suite struct StoreFaultTests {
  /// What a process does: it looks, goes on with a conversation, begins another, and leaves.
  private func work(_ store: ConversationStore, _ id: ConversationID) async throws {
    let engine = ScriptedEngine(EngineScript(replies: [[.text("one")], [.text("two")]]))
    try await engine.load(
      ModelReference(name: "m", path: ""), budget: MemoryBudget(), progress: { _ in })
    let session = ChatSession(engine: engine, settings: ChatSettings(), storage: store)
    _ = try? await store.list()
    _ = try? await session.open(id)
    _ = try? await session.send("b") { _ in }
    _ = try? await session.startNew()
    _ = try? await session.send("c") { _ in }
    try? await session.setPinned(true)
    await session.close()
    _ = try? await store.rename(id, to: "renamed")
    _ = try? await store.search("a")
  }

  @Test(arguments: [
    FaultySystem.Fault.fails(EIO), .fails(ENOSPC), .fails(EINTR), .isShort, .dies,
  ])
  func nothingIsLost(_ fault: FaultySystem.Fault) async throws {
    let probe = try StoreFixture()
    let counting = FaultySystem()
    try await work(probe.another(system: counting), try await probe.keep(["a", "A"]))
    let total = counting.calls.count
    #expect(total > 60)
    // A stride that shares no factor with the calls of a write, so that each kind has its turn.
    let numbers = TestModels.slow ? Array(0..<total) : Array(stride(from: 0, to: total, by: 5))
    for number in numbers {
      let fixture = try StoreFixture()
      let id = try await fixture.keep(["a", "A"])
      let damaged = ConversationID()
      try fixture.write("damaged", damaged)
      try await work(
        fixture.another(system: FaultySystem { _, count in count == number ? fault : nil }), id)

      let store = fixture.another()
      let list = try await store.list()
      #expect(list.summaries.contains { $0.id == id }, "call \(number)")
      for summary in list.summaries {
        let (open, conversation, problems) = try await store.open(summary.id)
        #expect(problems.isEmpty && conversation.unreadableRecords == 0, "call \(number)")
        _ = open
      }
      let kept = try await store.load(id)
      #expect(kept.tree.nodes.prefix(2).map(\.message.content) == ["a", "A"], "call \(number)")
      let copies = fixture.names.filter { $0.hasPrefix("conversation-\(damaged)") }
      #expect(copies.count == 1, "call \(number): \(copies)")
      let text = try String(contentsOfFile: fixture.directory + "/" + copies[0], encoding: .utf8)
      #expect(text == "damaged")
    }
  }

  /// A full disk that is one, where there is the right to make it.
  @Test(.enabled(if: getuid() == 0, "only root can mount a file system"))
  func aFullFileSystem() async throws {
    let scratch = try ScratchDirectory()
    let point = scratch.path + "/small"
    try FileManager.default.createDirectory(atPath: point, withIntermediateDirectories: true)
    guard unsafe mount("pipit-test", point, "tmpfs", 0, "size=64k") == 0 else {
      print("skipped: a tmpfs cannot be mounted here (error \(errno))")
      return
    }
    defer { _ = unsafe umount2(point, Int32(MNT_DETACH)) }
    let store = ConversationStore(directory: point + "/conversations")
    let engine = ScriptedEngine(
      EngineScript(
        replies: [[.text(String(repeating: "long ", count: 1000))]], contextLength: 1_000_000))
    try await engine.load(
      ModelReference(name: "m", path: ""), budget: MemoryBudget(), progress: { _ in })
    let session = ChatSession(engine: engine, settings: ChatSettings(), storage: store)
    var failures = 0
    for number in 0..<12 {
      let turn = try await session.send("message \(number)") { _ in }
      if turn.saveFailure != nil { failures += 1 }
    }
    #expect(failures > 0)
    let id = await session.conversation.id
    let kept = try await ConversationStore(directory: point + "/conversations").load(id)
    #expect(kept.tree.nodes.count >= 2 && kept.tree.nodes.count < 24)
    #expect(kept.tree.path.first?.message.content == "message 0")
    await session.close()
  }
}
