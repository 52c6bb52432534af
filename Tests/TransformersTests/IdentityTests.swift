import Foundation
import Kernels
import TestSupport
import Testing
import Transformers

/// The logits of a position are the same bits however they were computed.
struct IdentityTests {
  private static func isSame(_ left: [[Float]], _ right: [[Float]]) -> Bool {
    left.count == right.count
      && zip(left, right).allSatisfy { zip($0, $1).allSatisfy { $0.bitPattern == $1.bitPattern } }
  }

  /// A prompt longer than a block of keys, made of the case's own tokens.
  private static func longPrompt(_ golden: GoldenCase) -> [Int32] {
    (0..<150).map { golden.prompt[($0 * 7 + $0 / 20) % golden.prompt.count] }
  }

  @Test(arguments: GoldenModel.all)
  func chunksDoNotMatter(model: GoldenModel) throws {
    let golden = model.golden
    let loaded = try TestModel(path: model.path)
    let tokens = Self.longPrompt(golden)
    let whole = try loaded.logits(of: tokens)
    for pieces in [[1], [7], [64], [3, 1, 61, 2, 70]] {
      let pieced = try loaded.logits(of: tokens, pieces: pieces)
      #expect(Self.isSame(whole, pieced), "\(golden) in pieces of \(pieces)")
    }
  }

  @Test(arguments: GoldenModel.some, [1, 2, 3])
  func threadsAndInstructionSetsDoNotMatter(model: GoldenModel, threads: Int) throws {
    let golden = model.golden
    let tokens = Self.longPrompt(golden)
    let reference = try TestModel(path: model.path, threads: 1, instructionSet: .portable)
      .logits(of: tokens)
    for set in InstructionSet.allCases where set.isSupported {
      let loaded = try TestModel(path: model.path, threads: threads, instructionSet: set)
      let logits = try loaded.logits(of: tokens, pieces: [32])
      #expect(Self.isSame(reference, logits), "\(golden), \(set), \(threads) threads")
    }
  }

  @Test(arguments: GoldenModel.all)
  func reusedPrefixesDoNotMatter(model: GoldenModel) throws {
    let golden = model.golden
    let loaded = try TestModel(path: model.path)
    let tokens = Self.longPrompt(golden)
    let whole = try loaded.logits(of: tokens)
    var state = loaded.emptyState()
    _ = try loaded.read(Array(tokens.prefix(100)), into: &state)
    let snapshot = state
    _ = try loaded.read([5, 4, 3, 2, 1], into: &state)
    for keep in snapshot.isRewindable ? [100, 64, 63, 1] : [100] {
      var branch = snapshot
      branch.truncate(to: keep)
      let rest = try loaded.read(Array(tokens[keep...]), into: &branch)
      #expect(Self.isSame(Array(whole[keep...]), rest), "\(golden) after \(keep)")
    }
  }
}
