import Conversations
import Foundation
import Inference
import JSON
import TestSupport
import Testing

/// Documents as files: of this version, of others, and with what this version does not know.
@Suite struct DocumentTests {
  private let fixture: StoreFixture
  private let id = ConversationID()

  init() throws {
    fixture = try StoreFixture()
  }

  private static func versionOne() throws -> String {
    let path = StoreFixture.document.path("documents/version-1.json")
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  private func load(_ text: String) async throws -> Conversation {
    try fixture.write(text, id)
    return try await fixture.store.load(id)
  }

  @Test func everyMemberIsRead() async throws {
    let conversation = try await load(Self.versionOne())
    #expect(conversation.id == id)
    #expect(conversation.title == "Rivers")
    #expect(conversation.created.iso8601 == "2026-11-30T09:54:14.123Z")
    #expect(conversation.updated.iso8601 == "2026-11-30T10:00:00.000Z")
    #expect(conversation.modelName == "smollm2")
    #expect(conversation.isPinned && conversation.deleted == nil && !conversation.isReadOnly)
    #expect(
      conversation.settings
        == ChatSettings(
          system: "Be brief.", isThinking: true, thinkingBudget: 64,
          sampling: SamplingOverrides(temperature: 0.3, topK: 5), maximumTokens: 100,
          stopStrings: ["END"], seed: .max))
    let tree = conversation.tree
    #expect(tree.nodes.map(\.id) == [0, 1, 2, 3, 4])
    #expect(tree.leafID == 4)
    #expect(tree.path.map(\.id) == [0, 1, 2, 4])
    #expect(tree[0]?.message.content == "Name \"three\" rivers.\n漢字 \\ é")
    let reply = try #require(tree[1])
    #expect(reply.message.reasoning == "Rivers…")
    #expect(reply.stopReason == .endOfTurn && !reply.isInterrupted && !reply.canContinue)
    #expect(reply.tokens?.prompt == [1, 2, 3, 4] && reply.tokens?.reply == [5, 6, 2])
    #expect(reply.tokens?.whole?.system == "Be brief.")
    #expect(reply.tokens?.startsInsideThinking == true)
    #expect(reply.statistics?.prefillTokensPerSecond == 179.12345678901234)
    #expect(reply.statistics?.duration == 0.30000000000000004)
    #expect(reply.statistics?.footprint.anonymous == 123_000_000)
    #expect(reply.model?.vocabularyCount == 49152)
    let partial = try #require(tree[3])
    #expect(partial.isInterrupted && partial.canContinue && partial.tokens?.whole == nil)
    #expect(tree[4]?.message.toolCalls.first?.arguments == #"{"x": 1.50}"#)
    #expect(tree.history(to: 3)?.tokens == [1, 2, 3, 4, 5, 6, 2, 7, 8, 9, 10])
    #expect(tree.history(to: 4) == nil)
  }

  @Test func whatIsNotKnownStays() async throws {
    let text = try Self.versionOne()
    try fixture.write(text, id)
    try await fixture.store.rename(id, to: "Streams")
    let changed = try fixture.text(id)
    let before = try #require(try JSONReader.read(Array(text.utf8)).objectValue)
    let after = try #require(try JSONReader.read(Array(changed.utf8)).objectValue)
    for (key, value) in before where !["id", "title", "settings"].contains(key) {
      #expect(after[key] == value, "\(key)")
    }
    let settings = try #require(after["settings"])
    for (key, value) in try #require(before["settings"]?.objectValue) where key != "sampling" {
      #expect(settings["\(key)"] ?? .null == value, "\(key)")
    }
    #expect(settings["sampling"]?["mirostat"] == 2)
    #expect(after["title"] == "Streams")
    #expect(after["id"] == .string(id.description))
  }

  @Test func ofAMessageThatChangesWhatIsNotKnownStays() async throws {
    var conversation = try await load(Self.versionOne())
    conversation.tree.update(1) { $0.message.content = "changed" }
    let value = try JSONReader.read(conversation.encodeDocument())
    let reply = try #require(value["messages"]?.arrayValue?[1])
    #expect(reply["content"] == "changed")
    #expect(reply["rating"] == 5)
    // Twice is as good as once.
    let again = try JSONReader.read(conversation.encodeDocument())
    #expect(again == value)
  }

  @Test func whatIsReadBackIsTheSame() async throws {
    let first = try await load(Self.versionOne())
    var copy = first
    let document = copy.encodeDocument()
    let second = try await load(String(decoding: document, as: UTF8.self))
    var again = second
    #expect(again.encodeDocument() == document)
    #expect(second.tree.nodes.map(\.statistics) == first.tree.nodes.map(\.statistics))
    #expect(second.tree.nodes.map(\.tokens) == first.tree.nodes.map(\.tokens))
    #expect(second.tree.nodes.map(\.message) == first.tree.nodes.map(\.message))
    #expect(second.settings == first.settings)
  }

  @Test func onlyTheFormAndTheMessagesAreNeeded() async throws {
    let conversation = try await load(
      #"""
      {"messages": [{"id": 3, "role": "user", "content": "Hello"},
        {"content": "Hi", "role": "assistant", "id": 5, "parent": 3}],
       "version": 1, "format": "pipit conversation"}
      """#)
    #expect(conversation.title == "Hello")
    #expect(conversation.tree.path.map(\.message.content) == ["Hello", "Hi"])
    #expect(conversation.settings == ChatSettings())
    var copy = conversation
    let lines = String(decoding: copy.encodeDocument(), as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 4)
  }

  @Test func aRecordThatMakesNoSenseIsSkippedAndCounted() async throws {
    let records = [
      #"{"id":0,"role":"user","content":"one"}"#, #"{"id":1,"role":"owner","content":"x"}"#,
      #"{"id":2,"parent":"zero","role":"user","content":"x"}"#, #"{"id":2,"role":"user"}"#,
      #"{"id":-1,"role":"user","content":"x"}"#, #"{"id":4,"parent":4,"role":"user","content":""}"#,
      "7", #"{"id":0,"role":"user","content":"twice"}"#,
      #"{"id":9,"parent":0,"role":"assistant","content":"two","tokens":{"prompt":[1,-1],"reply":7}}"#,
    ]
    let text =
      #"{"format":"pipit conversation","version":1,"messages":["#
      + records.joined(separator: ",\n") + "]}"
    let conversation = try await load(text)
    #expect(conversation.tree.path.map(\.message.content) == ["one", "two"])
    #expect(conversation.unreadableRecords == 7)
    #expect(conversation.tree[9]?.tokens == nil)
    let list = try await fixture.store.list()
    #expect(list.problems.count == 1)
    #expect("\(list.problems[0])".contains("7 messages"))
    // They outlive a change.
    try await fixture.store.rename(id, to: "T")
    let changed = try fixture.text(id)
    for record in records { #expect(changed.contains(record), "\(record)") }
    let after = try await fixture.store.load(id)
    #expect(after.unreadableRecords == 7)
  }

  /// Who can read them all must find no two messages of one identifier.
  @Test func aMessageThatIsAddedDoesNotTakeTheIdentifierOfAnUnreadableOne() async throws {
    var conversation = try await load(
      #"""
      {"format":"pipit conversation","version":1,"messages":[
      {"id":0,"role":"user","content":"one"},
      {"id":1,"parent":0,"role":"owner","content":"x"},
      {"id":4611686018427387904,"role":"owner","content":"x"}]}
      """#)
    #expect(conversation.unreadableRecords == 2)
    let id = conversation.tree.append(ChatMessage(.assistant, "two"), after: 0)
    #expect(id == 2)
    let again = try await load(String(decoding: conversation.encodeDocument(), as: UTF8.self))
    #expect(again.tree.nodes.map(\.id) == [0, 2])
  }

  @Test func aLaterVersionIsReadAndNotWritten() async throws {
    let text = try Self.versionOne().replacing("\"version\":1", with: "\"version\":2")
    let conversation = try await load(text)
    #expect(conversation.isReadOnly)
    #expect(conversation.tree.path.count == 4)
    #expect(try await fixture.store.list().summaries.map(\.title) == ["Rivers"])
    let refusal = ConversationError.newerVersion(id, version: 2)
    await #expect(throws: refusal) { _ = try await fixture.store.open(id) }
    await #expect(throws: refusal) { try await fixture.store.rename(id, to: "x") }
    await #expect(throws: refusal) { try await fixture.store.delete(id) }
    #expect(try fixture.text(id) == text)
    let exported = conversation.exported(.json)
    #expect(try JSONReader.read(Array(exported.utf8))["version"] == 2)
    // A damaged one stays where it is: what looks like damage may be a later form.
    try fixture.write(String(text.dropLast(4)), id)
    let list = try await fixture.store.list()
    #expect(list.problems.count == 1)
    #expect(fixture.names.filter { $0.contains("corrupt") }.isEmpty)
  }

  @Test func noEarlierVersionIsKnown() async throws {
    let text = try Self.versionOne().replacing("\"version\":1", with: "\"version\":0")
    await #expect { _ = try await load(text) } throws: { error in
      guard case ConversationError.damaged(_, setAside: .some) = error else { return false }
      return true
    }
  }

  @Test func earlierVersionsAreBroughtUpStepByStep() throws {
    // Invented forms: in 1 messages were called `log`, in 2 they had no roles.
    let text = #"""
      {"format":"pipit conversation","version":1,"note":"kept","log":["a","b"]}
      """#
    let migrations: [Int: DocumentForm.Migration] = [
      1: { object in
        var object = object
        object["messages"] = object["log"]
        object["log"] = nil
        object["version"] = 2
        return object
      },
      2: { object in
        var object = object
        let texts = object["messages"]?.arrayValue ?? []
        object["messages"] = .array(
          texts.enumerated().map { ["id": .integer($0), "role": "user", "content": $1] })
        object["version"] = 3
        return object
      },
    ]
    let reading = try Conversation.read(
      Array(text.utf8), id: id, modified: .now, migrations: migrations, version: 3)
    #expect(reading.conversation.tree.nodes.map(\.message.content) == ["a", "b"])
    #expect(!reading.isDamaged && !reading.conversation.isReadOnly)
    #expect(throws: DocumentError.unknownVersion(1)) {
      try Conversation.read(
        Array(text.utf8), id: id, modified: .now, migrations: [2: { $0 }], version: 3)
    }
  }

  @Test(arguments: [
    "", "[]", "{}", "not JSON", #"{"format":"other","version":1,"messages":[]}"#,
    #"{"format":"pipit conversation","messages":[]}"#,
    #"{"format":"pipit conversation","version":1}"#,
    #"{"format":"pipit conversation","version":1,"messages":["#,
  ])
  func whatIsNoConversationIsSetAside(_ text: String) async throws {
    try fixture.write(text, id)
    try await fixture.keep(["another"])
    let list = try await fixture.store.list()
    #expect(list.summaries.map(\.title) == ["another"])
    #expect(list.problems.count == 1)
    let aside = try #require(fixture.names.first { $0.contains(".corrupt-") })
    #expect(aside.hasPrefix("conversation-\(id).json.corrupt-20"))
    #expect("\(list.problems[0])".contains(aside))
    let kept = try String(contentsOfFile: fixture.directory + "/" + aside, encoding: .utf8)
    #expect(kept == text)
    #expect(try await fixture.store.list().problems.isEmpty)
    await #expect(throws: ConversationError.notFound(id.description)) {
      _ = try await fixture.store.load(id)
    }
  }

  @Test func ofADamagedFileTheWholeLinesAreKept() async throws {
    let text = try Self.versionOne()
    // Cut within the fourth message, and a byte wrong in the second.
    let cut = try #require(text.range(of: "The Rhi"))
    let damaged = text[..<cut.lowerBound].replacing("\"reasoning\":", with: "\"reasoning\"")
    try fixture.write(String(damaged), id)
    let (open, conversation, problems) = try await fixture.store.open(id)
    #expect(conversation.tree.nodes.map(\.id) == [0, 2])
    #expect(conversation.title == "Rivers")
    #expect(problems.count == 1 && "\(problems[0])".contains("2 messages"))
    let aside = try #require(fixture.names.first { $0.contains(".corrupt-") })
    let kept = try String(contentsOfFile: fixture.directory + "/" + aside, encoding: .utf8)
    #expect(kept == damaged)
    #expect(try JSONReader.read(Array(fixture.text(id).utf8))["messages"]?.arrayValue?.count == 2)
    _ = open
  }
}
