import Inference
import Testing

/// Widths of keys and values, from a user's choice to what a load says of it.
struct KeyValueWidthTests {
  private func load(_ kind: StateKind, _ bits: KeyValueBits?) async throws -> CPUEngine {
    let engine = CPUEngine()
    try await engine.load(
      ModelReference(
        name: "small", path: kind.path,
        options: ModelOptions(contextLength: 256, keyValueBits: bits, threads: 1)),
      budget: MemoryBudget(isForced: true), progress: { _ in })
    return engine
  }

  @Test(arguments: StateKind.allCases, KeyValueBits.allCases)
  func keysOfFourBitsAreFeltWhereEveryLayerSeesAll(
    kind: StateKind, bits: KeyValueBits
  ) async throws {
    let engine = try await load(kind, bits)
    #expect(engine.loaded?.hasCoarseKeys == (bits.keys == 4 && kind.isRewindable))
  }

  @Test func fewerBitsAreFewerBytes() async throws {
    var bytes: [KeyValueBits: Int] = [:]
    for bits in KeyValueBits.allCases {
      bytes[bits] = try await load(.dense, bits).speedFigures?.keyValueBytesPerPosition
    }
    let whole = try #require(bytes[.sixteen])
    #expect(bytes[.thirtyTwo] == 2 * whole)
    let shares: [(KeyValueBits, ClosedRange<Double>)] = [
      (.eight, 0.5...0.56), (.eightAndFour, 0.37...0.44), (.fourAndEight, 0.37...0.44),
      (.four, 0.25...0.32),
    ]
    for (bits, share) in shares {
      #expect(share.contains(Double(bytes[bits] ?? 0) / Double(whole)), "\(bits)")
    }
    #expect(try await load(.dense, nil).speedFigures?.keyValueBytesPerPosition == whole)
  }
}
