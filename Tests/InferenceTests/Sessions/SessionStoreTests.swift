import Foundation
import Inference
import Kernels
import TestSupport
import Testing
import Tokenizers
import Weights

/// States survive a restart whole, or not at all.
struct SessionStoreTests {
  private let scratch: ScratchDirectory

  init() throws {
    scratch = try ScratchDirectory()
  }

  private var store: SessionStore { SessionStore(directory: "\(scratch.path)/a/sessions") }

  /// A memory that has read a prompt and a reply.
  private struct Conversation {
    var memory: PromptMemory
    var prompt: [TokenID]
    var reply: [TokenID]

    var tokens: [TokenID] { prompt + reply }
    var readings: [Reading] { memory.readingsToSave(of: tokens) }

    init(_ model: SmallModel, seed: UInt64, count: Int = 140) throws {
      var generator = SeededGenerator(seed: seed)
      memory = PromptMemory(model.emptyState, snapshotLimit: 100_000_000)
      prompt = SmallModel.tokens(count, using: &generator)
      reply = SmallModel.tokens(20, using: &generator)
      _ = try model.read(prompt, into: &memory)
      try model.reply(reply, into: &memory)
    }
  }

  @Test(arguments: StateKind.allCases, KVType.tested)
  func aRestartChangesNoBit(kind: StateKind, type: KVType) throws {
    let model = try SmallModel(kind, type: type)
    let before = try Conversation(model, seed: 21, count: type.isQuantised ? 470 : 140)
    let (prompt, reply) = (before.prompt, before.reply)
    try store.write(before.readings, key: "key", name: "Größe/1")

    let again = try SmallModel(kind, type: type, threads: 1)
    var after = PromptMemory(again.emptyState, snapshotLimit: 100_000_000)
    after.resume(
      try store.read("Größe/1", of: before.tokens, key: "key", like: again.emptyState))
    let next = prompt + reply + [7, 8, 9]
    var regenerated = after
    let (logits, reuse) = try again.read(next, into: &after)
    #expect(reuse.reused == prompt.count + reply.count - 1 && reuse.note == nil)
    #expect(isSame(logits, try model.freshLogits(next)))

    let (other, otherReuse) = try again.read(prompt, into: &regenerated)
    #expect(otherReuse.reused == prompt.count - 1)
    #expect(isSame(other, try model.freshLogits(prompt)))
  }

  /// Of a conversation that was left for another: what both have in common, or what there is of it.
  @Test(arguments: StateKind.allCases)
  func whatIsSavedIsOfTheConversation(kind: StateKind) throws {
    let model = try SmallModel(kind)
    var conversation = try Conversation(model, seed: 29)
    let branch = conversation.prompt + [1, 2, 3]
    let other = try Conversation(model, seed: 30)
    #expect(other.memory.readingsToSave(of: branch).isEmpty)
    let readings = conversation.memory.readingsToSave(of: branch)
    // A window lets go of whole blocks, so it can go back within the last.
    let kept = kind.hasDeltaNet ? conversation.prompt.count - 1 : conversation.prompt.count
    #expect(readings.first?.tokens == Array(branch.prefix(kept)))
    _ = try model.read(other.prompt, into: &conversation.memory)
    #expect(
      conversation.memory.readingsToSave(of: conversation.tokens).first?.tokens
        == conversation.tokens.dropLast())

    try store.write(conversation.readings, key: "k", name: "s")
    let unrelated = try store.read("s", of: other.prompt, key: "k", like: model.emptyState)
    #expect(unrelated.isEmpty)
    let related = try store.read("s", of: branch, key: "k", like: model.emptyState)
    #expect(related.first?.usable(for: branch[...]) == kept)
  }

  @Test func onlyTheOwnerReadsAFile() throws {
    let model = try SmallModel(.dense)
    try store.write(try Conversation(model, seed: 22).readings, key: "k", name: "one")
    let path = store.path("one")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let folder = try FileManager.default.attributesOfItem(atPath: store.directory)
    #expect(folder[.posixPermissions] as? Int == 0o700)
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.directory).count == 1)
    store.remove("one")
    #expect(store.byteCount("one") == nil)
    do {
      _ = try store.read("one", of: [1], key: "k", like: model.emptyState)
      Issue.record("a session that was removed is read")
    } catch let error as ArchiveError {
      #expect(error.isMissing)
    }
  }

  @Test func anotherModelsSessionIsRefused() throws {
    let model = try SmallModel(.dense)
    try store.write(try Conversation(model, seed: 23).readings, key: "one", name: "s")
    #expect(throws: SessionError.otherModel(path: store.path("s"))) {
      try store.read("s", of: [1], key: "two", like: model.emptyState)
    }
  }

  @Test(arguments: StateKind.allCases)
  func damageIsSeen(kind: StateKind) throws {
    let model = try SmallModel(kind)
    let conversation = try Conversation(model, seed: 24)
    let tokens = conversation.tokens
    try store.write(conversation.readings, key: "k", name: "s")
    let path = store.path("s")
    let sound = [UInt8](try Data(contentsOf: URL(filePath: path)))
    for count in [0, 1, 11, 12, 19, 20, 100, sound.count / 2, sound.count - 1] {
      try Data(sound[..<count]).write(to: URL(filePath: path))
      #expect(throws: (any Error).self, "\(count) bytes") {
        try store.read("s", of: tokens, key: "k", like: model.emptyState)
      }
    }
    var mutator = Mutator(seed: 25)
    for _ in 0..<Mutator.iterations(usual: 20) {
      let damaged = mutator.mutate(sound)
      if damaged == sound { continue }
      try Data(damaged).write(to: URL(filePath: path))
      #expect(throws: (any Error).self) {
        try store.read("s", of: tokens, key: "k", like: model.emptyState)
      }
    }
  }

  /// Files whose checksum is right although what they say is not: they are refused or read, and
  /// nothing traps.
  @Test(arguments: StateKind.allCases, [KVType.float16, .int4])
  func inconsistenciesDoNotTrap(kind: StateKind, type: KVType) throws {
    let model = try SmallModel(kind, type: type)
    let count = type.isQuantised ? 470 : 140
    let conversation = try Conversation(model, seed: 26, count: count)
    let tokens = conversation.tokens
    try store.write(conversation.readings, key: "k", name: "s")
    let path = store.path("s")
    let sound = [UInt8](try Data(contentsOf: URL(filePath: path)))
    var generator = SeededGenerator(seed: 27)
    for _ in 0..<Mutator.iterations(usual: 40) {
      var bytes = Array(sound.dropLast(8))
      // The numbers are in the beginning, all but those between the blocks.
      let place = Int.random(in: 12..<1400, using: &generator)
      bytes[place] = UInt8.random(in: 0...255, using: &generator)
      var checksum = Checksum()
      checksum.update(bytes.span)
      for byte in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: checksum.value >> (8 * byte))) }
      try Data(bytes).write(to: URL(filePath: path))
      guard let readings = try? store.read("s", of: tokens, key: "k", like: model.emptyState) else {
        continue
      }
      var memory = PromptMemory(model.emptyState, snapshotLimit: 100_000_000)
      memory.resume(readings)
      _ = try? model.read([1, 2, 3], into: &memory)
    }
  }

  @Test func allTogetherAreWithinTheLimit() throws {
    let model = try SmallModel(.dense)
    let readings = try Conversation(model, seed: 28).readings
    try store.write(readings, key: "k", name: "first")
    let size = try #require(store.byteCount("first"))
    let small = SessionStore(directory: store.directory, limit: size * 5 / 2)
    for name in ["second", "third", "second"] {
      try small.write(readings, key: "k", name: name)
      #expect(small.byteCount <= small.limit)
    }
    #expect(small.byteCount("first") == nil && small.byteCount("third") != nil)
    #expect(throws: SessionError.self) {
      try SessionStore(directory: store.directory, limit: 1000)
        .write(readings, key: "k", name: "fourth")
    }
    try Data([1]).write(to: URL(filePath: store.path("fifth") + ".1.part"))
    try Data([1]).write(to: URL(filePath: store.directory + "/other"))
    small.removeAll()
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.directory) == ["other"])
  }

  /// A user knows disks and conversations, and no sessions.
  @Test func whyNothingIsKeptIsSaid() {
    #expect(
      SessionError.tooLarge(1_470_000, limit: 29_500).description == """
        The disk is nearly full (a tenth of what is free is 29.5 kB): what the model has read of \
        the conversation (1.47 MB) is not kept, and is read again when it goes on in another run.
        """)
    #expect(
      SessionError.tooLarge(5_000_000_000, limit: 4_000_000_000).description.hasPrefix(
        "All that is kept of conversations may take 4.00 GB: what"))
  }

  @Test func theLimitDependsOnTheDisk() {
    let store = SessionStore(directory: scratch.path)
    #expect(store.limit > 0 && store.limit <= 4_000_000_000)
  }
}
