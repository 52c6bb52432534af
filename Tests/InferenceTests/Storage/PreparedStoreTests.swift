import Foundation
import Inference
import Synchronization
import TestSupport
import Testing
import Tokenizers

/// Prepared weights that are kept from one load to the next.
@Suite struct PreparedStoreTests {
  private let scratch: ScratchDirectory
  private let store: PreparedStore

  init() throws {
    scratch = try ScratchDirectory()
    store = PreparedStore(directory: scratch.path + "/prepared", limit: 100_000_000, smallest: 0)
  }

  private struct Load {
    var phases: [LoadProgress.Phase]
    var reply: [TokenID]
  }

  /// A copy of a model that may be changed.
  private func model(_ kind: StateKind = .dense) throws -> String {
    let path = scratch.path + "/\(kind.rawValue).gguf"
    try FileManager.default.copyItem(atPath: kind.path, toPath: path)
    return path
  }

  private func load(
    _ path: String, _ store: PreparedStore?, budget: MemoryBudget = MemoryBudget(isForced: true)
  ) async throws -> Load {
    let engine = CPUEngine(prepared: store)
    let phases = Mutex<[LoadProgress.Phase]>([])
    try await engine.load(
      ModelReference(
        name: "small", path: path, options: ModelOptions(contextLength: 512, threads: 2)),
      budget: budget
    ) { progress in
      phases.withLock { if $0.last != progress.phase { $0.append(progress.phase) } }
    }
    var reply: [TokenID] = []
    let parameters = GenerationParameters(
      maximumTokens: 8, sampling: .greedy, stopsLoops: false, ignoresEndOfTurn: true)
    for try await event in engine.generate([3, 1, 4, 1, 5, 9], parameters) {
      if case .answer(_, let tokens) = event { reply += tokens }
    }
    return Load(phases: phases.withLock { $0 }, reply: reply)
  }

  private var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: store.directory)) ?? []).sorted()
  }

  @Test(arguments: StateKind.allCases)
  func theSecondLoadPreparesNothing(kind: StateKind) async throws {
    let path = try model(kind)
    let plain = try await load(path, nil)
    #expect(plain.phases == [.reading, .preparing, .ready])
    let first = try await load(path, store)
    #expect(first.phases == [.reading, .preparing, .ready])
    #expect(store.byteCount(ofModel: path) != nil && files.count == 1)
    let second = try await load(path, store)
    #expect(second.phases == [.reading, .mapping, .ready])
    #expect(first.reply == plain.reply && second.reply == plain.reply)
    // Another name for the same file is the same model.
    let link = scratch.path + "/link.gguf"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(try await load(link, store).phases == [.reading, .preparing, .ready])
    #expect(files.count == 1)
    store.remove(ofModel: link)
    #expect(files == [])
  }

  @Test func aFileThatIsDamagedIsMadeAnew() async throws {
    let path = try model()
    let wanted = try await load(path, store).reply
    let file = store.directory + "/" + (try #require(files.first))
    var bytes = try Data(contentsOf: URL(filePath: file))
    let whole = bytes
    bytes[bytes.count / 3] ^= 1
    try bytes.write(to: URL(filePath: file))
    let load = try await load(path, store)
    #expect(load.phases == [.reading, .mapping, .preparing, .ready] && load.reply == wanted)
    #expect(try Data(contentsOf: URL(filePath: file)) == whole)
    #expect(try await self.load(path, store).phases == [.reading, .mapping, .ready])
  }

  /// A file is of a model as it was: of one that has been written again it is not.
  @Test func aModelThatChangedIsPreparedAnew() async throws {
    let path = try model()
    _ = try await load(path, store)
    try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path)
    #expect(try await load(path, store).phases == [.reading, .preparing, .ready])
    #expect(try await load(path, store).phases == [.reading, .mapping, .ready])
    #expect(files.count == 1)
  }

  /// Where nothing can be written, weights are prepared in memory.
  @Test func withoutAPlaceTheLoadIsAsBefore() async throws {
    let path = try model()
    let wanted = try await load(path, nil).reply
    let place = try scratch.write("file", "no folder")
    let stores = [
      PreparedStore(directory: place + "/prepared", smallest: 0),
      PreparedStore(directory: scratch.path + "/small", limit: 1000, smallest: 0),
      PreparedStore(directory: scratch.path + "/large", smallest: 1_000_000_000),
    ]
    for store in stores {
      let load = try await load(path, store)
      #expect(load.phases == [.reading, .preparing, .ready] && load.reply == wanted)
      #expect(store.byteCount(ofModel: path) == nil)
    }
  }

  /// What has just been written cannot be dropped, so with little memory nothing is.
  @Test func aLoadThatBarelyFitsIsNotWritten() async throws {
    let path = try model()
    let machine = InventedConditions()
    machine.state.withLock { $0.free = 1 }
    _ = try? await load(path, store, budget: machine.budget)
    #expect(files == [])
    machine.state.withLock { $0.free = gigabyte }
    _ = try await load(path, store, budget: machine.budget)
    #expect(files.count == 1)
  }

  /// What was used longest ago goes first, and only as much as must.
  @Test func theLimitHoldsForAllTogether() async throws {
    let kinds: [StateKind] = [.dense, .windowed, .experts]
    let paths = try kinds.map(model)
    for path in paths { _ = try await load(path, store) }
    let sizes = paths.map { store.byteCount(ofModel: $0) ?? 0 }
    #expect(files.count == 3)
    // The first is used once more, so the second is the oldest.
    _ = try await load(paths[0], store)
    let narrow = PreparedStore(
      directory: store.directory, limit: sizes.reduce(0, +) + 1000, smallest: 0)
    let fourth = try model(.hybrid)
    _ = try await load(fourth, narrow)
    #expect(narrow.byteCount(ofModel: fourth) != nil)
    #expect(narrow.byteCount(ofModel: paths[0]) != nil)
    #expect(narrow.byteCount(ofModel: paths[1]) == nil)
  }

  /// Files of models that are gone and what dead processes left go with the next file that is written.
  @Test func whatIsOfNoUseGoes() async throws {
    let gone = try model(.windowed)
    _ = try await load(gone, store)
    try FileManager.default.removeItem(atPath: gone)
    let dead = Process()
    dead.executableURL = URL(filePath: "/bin/true")
    try dead.run()
    dead.waitUntilExit()
    let alive = ProcessInfo.processInfo.processIdentifier
    for process in [dead.processIdentifier, alive] {
      try scratch.write("prepared/other-1.tiles.\(process).part", "begun")
    }
    try scratch.write("prepared/other-2.tiles", "of something else")
    let path = try model()
    _ = try await load(path, store)
    #expect(files.count == 2)
    #expect(files.contains("other-1.tiles.\(alive).part"))
    #expect(store.byteCount(ofModel: path) != nil)
    store.removeAll()
    #expect(files == [])
  }
}
