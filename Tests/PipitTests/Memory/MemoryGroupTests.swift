import Foundation
import TestSupport
import Testing

/// The built binary within a real limit of memory.
///
/// Version 1 groups only, where this user may make one; version 2 is tested on invented trees.
@Suite(
  .serialized,
  .enabled("needs a version 1 memory hierarchy that may be written") { MemoryGroup.isAvailable })
struct MemoryGroupTests {
  private let binary: BuiltBinary

  init() throws {
    binary = try BuiltBinary()
  }

  /// Runs in a group; what it needs to know is in the environment of the shell.
  private func run(_ group: MemoryGroup, _ arguments: String) throws -> Outcome {
    try binary.shell(group.enter + "$PIPIT " + arguments)
  }

  private func refusal(_ outcome: Outcome) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any]
    return try #require(object?["refusal"] as? [String: Any])
  }

  // MARK: A small model

  @Test(.enabled(if: TestModels.smolLM2 != nil))
  func refusedBelowAndAdmittedAbove() throws {
    let model = try #require(TestModels.smolLM2)
    let ask = "run -m '\(model)' --json -n 8 --temperature 0 'Say hello.'"
    let small = try MemoryGroup(limit: 100_000_000)
    let refused = try run(small, ask)
    #expect(refused.code == 4, "\(refused.errorText)")
    let figures = try refusal(refused)
    #expect(figures["kind"] as? String == "memory")
    #expect((figures["limit"] as? String)?.contains(small.folder) == true)
    #expect((figures["needed_bytes"] as? Int ?? 0) > (figures["available_bytes"] as? Int ?? 0))
    let large = try MemoryGroup(limit: 600_000_000)
    #expect(try run(large, ask).code == 0)
    #expect(small.kills + large.kills == 0)
  }

  /// The limit comes down while a reply is written, as another process in the group would take memory.
  @Test(.enabled(if: TestModels.smolLM2 != nil))
  func aReplyThatCrossesTheLineStopsWithItsText() throws {
    let model = try #require(TestModels.smolLM2)
    let group = try MemoryGroup(limit: 600_000_000)
    let child = try Child(
      "/bin/sh",
      [
        "-c",
        group.enter + "\(BuiltBinary.path) run -m '\(model)' -n 6000 --seed 1"
          + " --repeat-penalty 1.3 'Write a very long story about a river.'",
      ], input: .null, environment: binary.environment([:]))
    let first = child.waitForOutput(" ")
    #expect(!first.isEmpty)
    let usage = group.usage
    try group.setLimit(usage + 4_000_000)
    let outcome = child.finish()
    #expect(outcome.code == 4, "\(outcome.errorText)")
    #expect(outcome.errorText.contains("The reply was stopped: memory ran short"))
    #expect(outcome.errorText.contains(group.folder))
    #expect(!outcome.outputText.isEmpty || !first.isEmpty)
    #expect(group.kills == 0)
  }

  @Test(.enabled(if: TestModels.smolLM2 != nil))
  func aPromptThatWouldCrossIsRefusedBeforeItsFirstChunk() throws {
    let model = try #require(TestModels.smolLM2)
    // 22 kB a token of keys and values: 7000 tokens take 160 MB that are not there.
    let prompt = String(repeating: "word ", count: 7000)
    let file = binary.home + "/prompt"
    try Data(prompt.utf8).write(to: URL(filePath: file))
    let group = try MemoryGroup(limit: 280_000_000)
    let refused = try binary.shell(
      group.enter + "$PIPIT run -m '\(model)' --ndjson -n 64 < \(file)")
    #expect([4, 5].contains(refused.code), "\(refused.errorText)")
    #expect(!refused.outputText.contains(#""event":"prefill""#))
    #expect(refused.outputText.hasPrefix(#"{"event":"refusal""#))
    #expect(group.kills == 0)
  }

  // MARK: A model of Bonsai 8B's shape

  /// A tenth above and below what it needs, and the need itself.
  @Test(.enabled(if: TestModels.slow && TestModels.bonsai8B != nil))
  func bonsai8BBelowAtAndAboveItsNeed() throws {
    let model = try #require(TestModels.bonsai8B)
    let ask = "run -m '\(model)' --json -n 4 --temperature 0 'Say hello.'"
    let below = try MemoryGroup(limit: 1_100_000_000)
    let refused = try run(below, ask)
    #expect(refused.code == 4, "\(refused.errorText)")
    let figures = try refusal(refused)
    let needed = try #require(figures["needed_bytes"] as? Int)
    #expect(figures["largest_context"] is NSNull)
    print("Bonsai 8B needs \(needed) bytes with the smallest context")

    // Slack is a fortieth of the limit.
    let at = try MemoryGroup(limit: (needed + 30_000_000) * 40 / 39)
    let admitted = try run(at, ask)
    #expect(admitted.code == 0, "\(admitted.errorText)")
    let long = String(repeating: "word ", count: 4000)
    let file = binary.home + "/long"
    try Data(long.utf8).write(to: URL(filePath: file))
    let tooLong = try binary.shell(at.enter + "$PIPIT run -m '\(model)' --json -n 4 < \(file)")
    #expect([4, 5].contains(tooLong.code))

    let above = try MemoryGroup(limit: 3_000_000_000)
    #expect(try run(above, ask + " -c 8192").code == 0)
    #expect(below.kills + at.kills + above.kills == 0)
  }

  /// Mixed work where there is hardly room for it; whatever is refused, nothing is killed.
  @Test(.enabled(if: TestModels.slow && TestModels.smolLM2 != nil))
  func fiftyRunsAtTheLimit() throws {
    let model = try #require(TestModels.smolLM2)
    var generator = SeededGenerator(seed: 5)
    var codes: [Int32: Int] = [:]
    let group = try MemoryGroup(limit: 290_000_000)
    for run in 0..<50 {
      try group.setLimit(Int.random(in: 230_000_000...420_000_000, using: &generator))
      let words = Int.random(in: 1...3000, using: &generator)
      let file = binary.home + "/prompt"
      try Data(String(repeating: "word ", count: words).utf8).write(to: URL(filePath: file))
      let tokens = Int.random(in: 1...40, using: &generator)
      let command =
        run.isMultiple(of: 5)
        ? "printf 'one\\ntwo\\n/regen\\nthree\\n' | (\(group.enter)$PIPIT chat -m '\(model)' -n \(tokens))"
        : group.enter + "$PIPIT run -m '\(model)' -n \(tokens) < \(file)"
      let outcome = try binary.shell(command)
      codes[outcome.code, default: 0] += 1
      #expect([0, 4, 5].contains(outcome.code), "run \(run): \(outcome.code) \(outcome.errorText)")
    }
    print("exit codes of 50 runs: \(codes.sorted { $0.key < $1.key }), \(group.kills) kills")
    #expect(group.kills == 0)
    #expect((codes[0] ?? 0) >= 10 && codes.count > 1)
  }

  /// The verdict of `fit` is what happens.
  @Test(.enabled(if: TestModels.slow && TestModels.bonsai8B != nil))
  func fitSaysWhatHappens() throws {
    let model = try #require(TestModels.bonsai8B)
    for (limit, expected) in [
      (1_100_000_000, "does_not_fit"), (1_700_000_000, "tight"), (4_000_000_000, "fits_well"),
    ] {
      let group = try MemoryGroup(limit: limit)
      let fit = try run(group, "fit '\(model)' --json")
      let object = try JSONSerialization.jsonObject(with: fit.output) as? [String: Any]
      let row = try #require((object?["models"] as? [[String: Any]])?.first)
      #expect(row["verdict"] as? String == expected)
      let context = row["largest_context"] as? Int ?? 4096
      let loaded = try run(
        group, "run -m '\(model)' -c \(context) -n 2 --temperature 0 'Say hello.'")
      #expect(loaded.code == (expected == "does_not_fit" ? 4 : 0), "\(loaded.errorText)")
      #expect(group.kills == 0)
    }
  }
}
