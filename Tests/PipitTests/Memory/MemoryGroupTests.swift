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

  // MARK: Mixed work at the limit

  /// What there is hardly room for, done over and over.
  struct Load: Sendable, CustomTestStringConvertible {
    var name: String
    var model: String?
    /// Some that refuse everything, some that refuse a part, some that refuse nothing.
    var limits: ClosedRange<Int>
    /// Of a prompt, at most.
    var words: Int

    var testDescription: String { name }
  }

  static let loads = [
    Load(
      name: "SmolLM2 135M", model: TestModels.smolLM2, limits: 160_000_000...420_000_000,
      words: 3000),
    Load(
      name: "Bonsai 8B", model: TestModels.bonsai8B, limits: 1_250_000_000...1_900_000_000,
      words: 300),
  ]

  /// A shell command that enters a group and does one of the things that Pipit does with a model.
  private func work(
    _ run: Int, _ load: Load, _ group: MemoryGroup, using generator: inout SeededGenerator
  ) throws -> String {
    let model = "-m '\(load.model ?? "")'"
    let words = Int.random(in: 1...load.words, using: &generator)
    let tokens = Int.random(in: 1...load.words / 30, using: &generator)
    let file = binary.home + "/prompt"
    try Data(String(repeating: "word ", count: words).utf8).write(to: URL(filePath: file))
    let pipit = group.enter + "$PIPIT "
    switch run % 7 {
    case 0:
      return "printf 'one\\ntwo\\n/regen\\nthree\\n' | (\(pipit)chat \(model) -n \(tokens))"
    case 1: return pipit + "bench \(model) -r 1 -p \(min(words, 256)) -n \(tokens)"
    case 2: return pipit + "perplexity \(model) -c \(max(32, min(words / 2, 512))) \(file)"
    case 3:
      let ids = (0..<min(words, 200)).map { "\($0 + 10)" }.joined(separator: ",")
      return pipit + "logits \(model) --tokens \(ids) --out \(binary.home)/logits"
    case 4: return pipit + "run \(model) --save -n \(tokens) < \(file)"
    case 5: return pipit + "run \(model) --kv-bits 8 -n \(tokens) < \(file)"
    default: return pipit + "run \(model) -n \(tokens) < \(file)"
    }
  }

  /// Whatever is refused or stopped, nothing is killed.
  @Test(.enabled(if: TestModels.slow), arguments: loads)
  func fiftyRunsAtTheLimit(load: Load) throws {
    guard load.model != nil else { return }
    var generator = SeededGenerator(seed: 5)
    var codes: [Int32: Int] = [:]
    let group = try MemoryGroup(limit: load.limits.upperBound)
    for run in 0..<50 {
      try group.setLimit(Int.random(in: load.limits, using: &generator))
      let outcome = try binary.shell(
        work(run, load, group, using: &generator), seconds: 900)
      codes[outcome.code, default: 0] += 1
      // A text may be too short for its perplexity, which is no matter of memory.
      let isShort = outcome.code == 2 && outcome.errorText.contains("perplexity needs two chunks")
      #expect(
        isShort || [0, 4, 5].contains(outcome.code),
        "run \(run): \(outcome.code) \(outcome.errorText)")
    }
    print(
      "\(load.name), 50 runs: exit codes \(codes.sorted { $0.key < $1.key }),", group.kills, "kills"
    )
    #expect(group.kills == 0)
    #expect((codes[0] ?? 0) >= 10 && (codes[4] ?? 0) >= 1)
  }

  /// A file that was read before is no reason to refuse what fitted then.
  @Test(.enabled(if: TestModels.smolLM2 != nil))
  func theSameLoadIsAdmittedEachTime() throws {
    let model = try #require(TestModels.smolLM2)
    let copy = binary.home + "/copy.gguf"
    let group = try MemoryGroup(limit: 260_000_000)
    // Written in the group, so that its pages are the group's.
    let copied = try binary.shell(
      "echo $$ > \(group.folder)/cgroup.procs; cat '\(model)' > \(copy)")
    #expect(copied.code == 0)
    for _ in 0..<5 {
      let outcome = try run(group, "run -m \(copy) -n 1 -c 512 hi")
      #expect(outcome.code == 0, "\(outcome.errorText)")
    }
    #expect(group.kills == 0)
  }

  // MARK: What fit says

  /// A model, limits of memory, and what `fit` has to say of it there.
  struct Expectation: Sendable, CustomTestStringConvertible {
    var name: String
    var model: String?
    var limit: Int
    var verdict: String

    var testDescription: String { "\(name) in \(limit / 1_000_000) MB" }
  }

  static let expectations = [
    ("Bonsai 8B", TestModels.bonsai8B, [1_100, 1_700, 4_000]),
    ("Bonsai 27B", TestModels.bonsai27B, [3_700, 4_400, 7_500]),
    ("Qwen3.5 9B, 4 bits", TestModels.qwen35_9B, [5_000, 5_600, 9_000]),
  ].flatMap { name, model, limits in
    zip(limits, ["does_not_fit", "tight", "fits_well"]).map {
      Expectation(name: name, model: model, limit: $0 * 1_000_000, verdict: $1)
    }
  }

  /// The verdict is what happens: refused, or answered with the context that it names, much of which
  /// is filled.
  @Test(.enabled(if: TestModels.slow), arguments: expectations)
  func fitSaysWhatHappens(_ expected: Expectation) throws {
    guard let model = expected.model else { return }
    let group = try MemoryGroup(limit: expected.limit)
    let fit = try run(group, "fit '\(model)' --json")
    let object = try JSONSerialization.jsonObject(with: fit.output) as? [String: Any]
    let row = try #require((object?["models"] as? [[String: Any]])?.first)
    #expect(row["verdict"] as? String == expected.verdict)
    let context = row["largest_context"] as? Int ?? 4096
    let file = binary.home + "/prompt"
    let words = min(100, context - 100)
    try Data(String(repeating: "word ", count: words).utf8).write(to: URL(filePath: file))
    let loaded = try binary.shell(
      group.enter + "$PIPIT run -m '\(model)' -c \(context) -n 2 --temperature 0 --stats < \(file)",
      seconds: 900)
    #expect(
      loaded.code == (expected.verdict == "does_not_fit" ? 4 : 0), "\(loaded.errorText)")
    print(
      "\(expected.testDescription): \(expected.verdict), context \(context), exit \(loaded.code)")
    print(String(loaded.errorText.split(separator: "\n").last ?? ""))
    #expect(group.kills == 0)
  }
}
