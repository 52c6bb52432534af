import Inference
import Kernels
import Testing
import Transformers

/// What decoding reads and writes, beside what states really hold.
@Suite struct DecodeTrafficTests {
  private static let block = KVBlock.positions

  private func load(_ kind: StateKind, _ bits: KeyValueBits? = nil) async throws -> CPUEngine {
    let engine = CPUEngine()
    try await engine.load(
      ModelReference(
        name: "small", path: kind.path,
        options: ModelOptions(contextLength: 512, keyValueBits: bits, threads: 1)),
      budget: MemoryBudget(isForced: true), progress: { _ in })
    return engine
  }

  /// The query that fills a block reads all that a float16 state without windows keeps.
  @Test(arguments: [StateKind.dense, .hybrid], [64, 192, 448])
  func allOfAStateIsRead(kind: StateKind, count: Int) throws {
    let model = try SmallModel(kind)
    var state = model.emptyState
    let tokens = [Int32](repeating: 5, count: count)
    for start in stride(from: 0, to: count, by: 64) {
      _ = try model.read(tokens[start..<start + 64], into: &state)
    }
    var held = 0
    state.forEachPart { held += $0.byteCount }
    let configuration = model.transformer.configuration
    let read = ModelState.keyValueBytesRead(configuration, type: model.type, at: count - 1)
    #expect(read == held - ModelState.recurrentByteCount(configuration))
  }

  /// A window's layers stop growing, the others do not.
  @Test func aWindowIsReadNoFurtherThanItReaches() throws {
    let configuration = try SmallModel(.windowed).transformer.configuration
    let kinds = ModelState.keyValueLayers(configuration, type: .float16)
    let windows = kinds.compactMap(\.window)
    let window = try #require(windows.max())
    let growth = kinds.filter { $0.window == nil }.reduce(0) {
      $0 + $1.count * $1.bytesPerBlock / Self.block
    }
    let all = ModelState.bytesPerPosition(configuration, type: .float16)
    #expect(growth > 0 && growth < all)
    func read(_ position: Int) -> Int {
      ModelState.keyValueBytesRead(configuration, type: .float16, at: position)
    }
    #expect(read(0) == all)
    #expect(read(window + 100) - read(window + 99) == growth)
    #expect(read(window - 1) == window * all)
  }

  /// Blocks five or more before the query's are read in few bits, the newer ones in float16.
  @Test(arguments: KVType.tested.filter(\.isQuantised))
  func oldBlocksAreReadQuantised(type: KVType) throws {
    let configuration = try SmallModel(.dense).transformer.configuration
    let stored = ModelState.bytesPerPosition(configuration, type: .float16)
    let quantised = ModelState.bytesPerPosition(configuration, type: type)
    func read(_ position: Int) -> Int {
      ModelState.keyValueBytesRead(configuration, type: type, at: position)
    }
    #expect(read(5 * Self.block - 1) == 5 * Self.block * stored)
    #expect(read(5 * Self.block) == Self.block * quantised + (4 * Self.block + 1) * stored)
    #expect(read(12 * Self.block) == 8 * Self.block * quantised + (4 * Self.block + 1) * stored)
  }

  @Test func aLoadedModelSumsItUp() async throws {
    let dense = try await load(.dense)
    let perPosition = try #require(dense.speedFigures?.keyValueBytesPerPosition)
    let first = try #require(dense.decodeTraffic(at: 0..<1))
    #expect(first.weights > 0)
    #expect(first.keysAndValues == perPosition)
    #expect(first.recurrentState == 0)
    #expect(first.total == first.weights + perPosition)
    // 101, 102 and 103 positions.
    #expect(dense.decodeTraffic(at: 100..<103)?.keysAndValues == 102 * perPosition)
    #expect(dense.decodeTraffic(at: 7..<7) == nil)
    let narrow = try await load(.dense, .eight).decodeTraffic(at: 500..<501)
    let wide = try #require(dense.decodeTraffic(at: 500..<501))
    #expect(try #require(narrow).keysAndValues < wide.keysAndValues)
    #expect(narrow?.weights == wide.weights)

    let hybrid = try await load(.hybrid).decodeTraffic(at: 0..<1)
    let state = ModelState.recurrentByteCount(
      try SmallModel(.hybrid).transformer.configuration)
    #expect(state > 0)
    #expect(hybrid?.recurrentState == 2 * state)
  }

  @Test func withoutAModelThereIsNone() {
    #expect(CPUEngine().decodeTraffic(at: 0..<1) == nil)
  }
}
