import Foundation
import Testing
import TestSupport

/// The golden cases themselves: all are there and hold together.
struct GoldenCaseTests {
  private let fixtures = Fixtures(bundlePath: Bundle.module.bundlePath)

  @Test(arguments: ["gguf", "mlx", "own", "moe"])
  func everyCaseHasItsLogits(folder: String) throws {
    let cases = try fixtures.goldenCases(in: folder)
    #expect(cases.count >= 4)
    for golden in cases {
      let logits = try golden.logits()
      #expect(logits.count == golden.prompt.count * golden.vocabulary, "\(golden)")
      let allFinite = logits.allSatisfy { $0.isFinite }
      #expect(allFinite, "\(golden)")
      #expect(try golden.difference(of: logits) == GoldenCase.Difference(max: 0, mean: 0))
      let last = logits.suffix(golden.vocabulary)
      let top = try #require(last.indices.max { last[$0] < last[$1] }) - last.startIndex
      #expect(Int32(top) == golden.greedy.first?.token, "\(golden)")
    }
  }

  @Test
  func aDifferenceIsSeen() throws {
    let golden = try #require(try fixtures.goldenCases(in: "gguf").first)
    var logits = try golden.logits()
    logits[7] += 0.25
    #expect(try golden.difference(of: logits).max == 0.25)
    logits[9] = .nan
    #expect(try golden.difference(of: logits).max == .infinity)
    let short = try golden.difference(of: Array(logits.dropLast()))
    #expect(!short.isWithin(golden.int8Limit))
  }
}
