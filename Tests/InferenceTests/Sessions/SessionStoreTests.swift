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
  private func memory(
    _ model: SmallModel, seed: UInt64
  ) throws -> (memory: PromptMemory, prompt: [TokenID], reply: [TokenID]) {
    var generator = SeededGenerator(seed: seed)
    var memory = PromptMemory(model.emptyState, snapshotLimit: 100_000_000)
    let prompt = SmallModel.tokens(140, using: &generator)
    let reply = SmallModel.tokens(20, using: &generator)
    _ = try model.read(prompt, into: &memory)
    try model.reply(reply, into: &memory)
    return (memory, prompt, reply)
  }

  @Test(arguments: StateKind.allCases)
  func aRestartChangesNoBit(kind: StateKind) throws {
    let model = try SmallModel(kind)
    let (before, prompt, reply) = try memory(model, seed: 21)
    try store.write(before.readingsToSave, key: "key", name: "Größe/1")

    let again = try SmallModel(kind, threads: 1)
    var after = PromptMemory(again.emptyState, snapshotLimit: 100_000_000)
    after.resume(try store.read("Größe/1", key: "key", like: again.emptyState))
    let next = prompt + reply + [7, 8, 9]
    var regenerated = after
    let (logits, reuse) = try again.read(next, into: &after)
    #expect(reuse.reused == prompt.count + reply.count - 1 && reuse.note == nil)
    #expect(isSame(logits, try model.freshLogits(next)))

    let (other, otherReuse) = try again.read(prompt, into: &regenerated)
    #expect(otherReuse.reused == prompt.count - 1)
    #expect(isSame(other, try model.freshLogits(prompt)))
  }

  @Test func onlyTheOwnerReadsAFile() throws {
    let model = try SmallModel(.dense)
    try store.write(try memory(model, seed: 22).memory.readingsToSave, key: "k", name: "one")
    let path = store.path("one")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let folder = try FileManager.default.attributesOfItem(atPath: store.directory)
    #expect(folder[.posixPermissions] as? Int == 0o700)
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.directory).count == 1)
    store.remove("one")
    #expect(store.byteCount("one") == nil)
    do {
      _ = try store.read("one", key: "k", like: model.emptyState)
      Issue.record("a session that was removed is read")
    } catch let error as ArchiveError {
      #expect(error.isMissing)
    }
  }

  @Test func anotherModelsSessionIsRefused() throws {
    let model = try SmallModel(.dense)
    try store.write(try memory(model, seed: 23).memory.readingsToSave, key: "one", name: "s")
    #expect(throws: SessionError.otherModel(path: store.path("s"))) {
      try store.read("s", key: "two", like: model.emptyState)
    }
  }

  @Test(arguments: StateKind.allCases)
  func damageIsSeen(kind: StateKind) throws {
    let model = try SmallModel(kind)
    try store.write(try memory(model, seed: 24).memory.readingsToSave, key: "k", name: "s")
    let path = store.path("s")
    let sound = [UInt8](try Data(contentsOf: URL(filePath: path)))
    for count in [0, 1, 11, 12, 19, 20, 100, sound.count / 2, sound.count - 1] {
      try Data(sound[..<count]).write(to: URL(filePath: path))
      #expect(throws: (any Error).self, "\(count) bytes") {
        try store.read("s", key: "k", like: model.emptyState)
      }
    }
    var mutator = Mutator(seed: 25)
    for _ in 0..<Mutator.iterations(usual: 20) {
      let damaged = mutator.mutate(sound)
      if damaged == sound { continue }
      try Data(damaged).write(to: URL(filePath: path))
      #expect(throws: (any Error).self) {
        try store.read("s", key: "k", like: model.emptyState)
      }
    }
  }

  /// Files whose checksum is right although what they say is not: they are refused or read, and
  /// nothing traps.
  @Test(arguments: StateKind.allCases)
  func inconsistenciesDoNotTrap(kind: StateKind) throws {
    let model = try SmallModel(kind)
    try store.write(try memory(model, seed: 26).memory.readingsToSave, key: "k", name: "s")
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
      guard let readings = try? store.read("s", key: "k", like: model.emptyState) else { continue }
      var memory = PromptMemory(model.emptyState, snapshotLimit: 100_000_000)
      memory.resume(readings)
      _ = try? model.read([1, 2, 3], into: &memory)
    }
  }

  @Test func allTogetherAreWithinTheLimit() throws {
    let model = try SmallModel(.dense)
    let readings = try memory(model, seed: 28).memory.readingsToSave
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
  }
}
