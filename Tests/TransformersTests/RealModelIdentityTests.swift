import Kernels
import TestSupport
import Testing
import Transformers

/// The identity of `IdentityTests` on a trained model: SmolLM2-135M-Instruct.
@Suite(.enabled(if: TestModels.smolLM2 != nil, "needs the default model: Scripts/test fetches it"))
struct RealModelIdentityTests {
  /// "What is gravity?" in SmolLM2's template, and on over the end of a block of keys.
  private static let tokens: [Int32] =
    [
      1, 9690, 198, 2683, 359, 253, 5356, 5646, 11173, 3365, 3511, 308, 34519, 28, 7018, 411, 407,
      19712, 8182, 2, 198, 1, 4093, 198, 1780, 314, 12284, 47, 2, 198, 1, 520, 9531, 198,
    ] + (0..<60).map { 300 + 17 * $0 }

  private static func isSame(_ left: [[Float]], _ right: [[Float]]) -> Bool {
    left.count == right.count
      && zip(left, right).allSatisfy { zip($0, $1).allSatisfy { $0.bitPattern == $1.bitPattern } }
  }

  @Test
  func theBitsDoNotDependOnHowTheyWereComputed() throws {
    let path = try #require(TestModels.smolLM2)
    let reference = try TestModel(path: path, threads: 1, instructionSet: .portable)
      .logits(of: Self.tokens, pieces: [64])
    for set in InstructionSet.allCases where set.isSupported && set != .portable {
      for threads in 1...3 {
        let model = try TestModel(path: path, threads: threads, instructionSet: set)
        for pieces in threads == 2 ? [[Self.tokens.count], [1], [7], [64]] : [[Self.tokens.count]] {
          let logits = try model.logits(of: Self.tokens, pieces: pieces)
          #expect(Self.isSame(reference, logits), "\(set), \(threads) threads, \(pieces)")
        }
        var state = model.emptyState()
        _ = try model.read(Array(Self.tokens.prefix(80)), into: &state)
        state.truncate(to: 50)
        let rest = try model.read(Array(Self.tokens[50...]), into: &state)
        #expect(Self.isSame(Array(reference[50...]), rest), "\(set), a prefix reused")
      }
    }
  }
}
