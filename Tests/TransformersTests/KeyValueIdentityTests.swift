import Kernels
import TestSupport
import Testing
import Transformers

/// With keys and values of any width, the logits of a position are the same bits however they were
/// computed.
///
/// Prompts reach past the fifth block, where quantised numbers are read.
struct KeyValueIdentityTests {
  private static let models = GoldenModel.all.filter {
    [
      "qwen3-q4_1", "qwen2-q5_0", "qwen35-q4_k_m", "gemma3-q5_0", "qwen3_moe-q4_0",
      "qwen3_5_moe-q8_0",
    ].contains($0.golden.name)
  }
  private static let types = KVType.allCases.filter(\.isQuantised)

  private static func isSame(_ left: [[Float]], _ right: [[Float]]) -> Bool {
    left.count == right.count
      && zip(left, right).allSatisfy { zip($0, $1).allSatisfy { $0.bitPattern == $1.bitPattern } }
  }

  private static func prompt(_ golden: GoldenCase, seed: Int) -> [Int32] {
    (0..<460).map { golden.prompt[($0 * 7 + $0 / 20 + seed) % golden.prompt.count] }
  }

  @Test func allFamiliesTakePart() {
    #expect(Self.models.count == 6)
  }

  @Test(arguments: models, types)
  func nothingMattersButTheTokens(model: GoldenModel, type: KVType) throws {
    let tokens = Self.prompt(model.golden, seed: type.keyBits + type.valueBits)
    let portable = try TestModel(path: model.path, threads: 1, instructionSet: .portable)
    var state = portable.transformer.emptyState(context: 512, keysAndValues: type)
    let truth = try portable.read(tokens, into: &state)
    var generator = SeededGenerator(seed: UInt64(type.keyBits))
    for (index, set) in InstructionSet.allCases.filter(\.isSupported).enumerated() {
      let loaded = try TestModel(path: model.path, threads: 1 + index % 3, instructionSet: set)
      let pieces = (0..<30).map { _ in Int.random(in: 1...70, using: &generator) }
      var state = loaded.transformer.emptyState(context: 512, keysAndValues: type)
      let logits = try loaded.read(tokens, into: &state, pieces: pieces)
      #expect(Self.isSame(truth, logits), "\(set), pieces of \(pieces)")
    }

    // Back to a snapshot, and from it as far back as it says that it can go.
    let loaded = try TestModel(path: model.path)
    var read = loaded.transformer.emptyState(context: 512, keysAndValues: type)
    _ = try loaded.read(Array(tokens.prefix(430)), into: &read)
    let snapshot = read
    _ = try loaded.read([5, 4, 3, 2, 1], into: &read)
    let places = (1...430).filter(snapshot.canTruncate)
    #expect(places.last == 430)
    #expect(!places.contains(200) && snapshot.canTruncate(to: 0))
    for keep in [places.first, places.last].compactMap(\.self) {
      var branch = snapshot
      branch.truncate(to: keep)
      let rest = try loaded.read(Array(tokens[keep...]), into: &branch, pieces: [9])
      #expect(Self.isSame(Array(truth[keep...]), rest), "after \(keep)")
    }
  }
}
