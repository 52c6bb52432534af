import Foundation
import Inference
import Kernels
import TestSupport
import Tokenizers
import Transformers
import Weights

/// The kinds of state there are: one that can go back, one with delta nets, one with windows; and the
/// first two with experts, whose choice must not depend on how a prompt is cut.
enum StateKind: String, CaseIterable, Sendable {
  case dense = "qwen3-q1_0"
  case hybrid = "qwen35-q1_0"
  case windowed = "gemma3-q5_0"
  case experts = "qwen3_moe-q4_0"
  case hybridExperts = "qwen3_5_moe-q8_0"

  var hasDeltaNet: Bool { self == .hybrid || self == .hybridExperts }
  /// Whether a float16 state can go back to any position.
  var isRewindable: Bool { self == .dense || self == .experts }

  private static let fixtures = Fixtures(bundlePath: Bundle.module.bundlePath)

  var path: String { Self.fixtures.path("models/\(rawValue).gguf") }
}

/// A small model without an engine around it.
struct SmallModel {
  static let context = 1024
  static let vocabulary: Int32 = 280

  let transformer: Transformer
  let workspace: Workspace
  let type: KVType

  init(_ kind: StateKind, type: KVType = .float16, threads: Int = 2) throws {
    self.type = type
    let file = try GGUFFile(path: kind.path)
    transformer = try ModelPlan(file, settings: ModelSettings(file.metadata))
      .load(compute: Compute(threads: threads))
    workspace = Workspace(
      transformer.configuration, capacity: 64, context: Self.context, threads: threads)
  }

  var emptyState: ModelState {
    transformer.emptyState(context: Self.context, keysAndValues: type)
  }

  /// Reads tokens, and gives the logits of the last.
  func read(_ tokens: ArraySlice<TokenID>, into state: inout ModelState) throws -> [Float] {
    var logits: [Float] = []
    try transformer.read(
      tokens, state: &state, workspace: workspace, backend: .simd, logits: .last
    ) { _, rows in logits = rows.elements(row: 0) }
    return logits
  }

  /// The last logits of a state that has read nothing else.
  func freshLogits(_ tokens: [TokenID]) throws -> [Float] {
    var state = emptyState
    var logits: [Float] = []
    for start in stride(from: 0, to: tokens.count, by: workspace.capacity) {
      let end = min(start + workspace.capacity, tokens.count)
      logits = try read(tokens[start..<end], into: &state)
    }
    return logits
  }

  /// Reads a prompt as the engine does, in pieces of at most `chunk`, and gives the last logits.
  func read(
    _ prompt: [TokenID], into memory: inout PromptMemory, chunk: Int = 64
  ) throws -> (logits: [Float], reuse: PromptReuse) {
    let reuse = memory.begin(prompt)
    let stops = memory.stops(prompt, reuse)
    var position = memory.live.state.position
    var logits: [Float] = []
    while position < prompt.count {
      let end = min(position + chunk, stops.first { $0 > position } ?? prompt.count)
      try memory.read(prompt[position..<end]) { state in
        logits = try read(prompt[position..<end], into: &state)
      }
      if stops.contains(end) { memory.keepSnapshot() }
      position = end
    }
    return (logits, reuse)
  }

  /// Takes tokens for a reply that was sampled.
  func reply(_ tokens: [TokenID], into memory: inout PromptMemory) throws {
    for token in tokens.dropLast() {
      try memory.read([token]) { state in _ = try read([token], into: &state) }
    }
    memory.finish()
  }

  static func tokens<Generator: RandomNumberGenerator>(
    _ count: Int, using generator: inout Generator
  ) -> [TokenID] {
    (0..<count).map { _ in TokenID.random(in: 0..<vocabulary, using: &generator) }
  }
}

extension KVType {
  /// Those that a user can choose, one of each kind.
  static let tested: [KVType] = [
    .float16, .int8, .int4, .quantised(keys: .eight, values: .four),
  ]
}

func isSame(_ left: [Float], _ right: [Float]) -> Bool {
  left.map(\.bitPattern) == right.map(\.bitPattern)
}
