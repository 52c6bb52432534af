import JSON
import Kernels
import Transformers
import Weights

/// A small model loaded for a test.
struct TestModel {
  let transformer: Transformer

  init(path: String, threads: Int = 2, instructionSet: InstructionSet? = nil) throws {
    let plan: ModelPlan
    if path.hasSuffix(".gguf") {
      let file = try GGUFFile(path: path)
      plan = try ModelPlan(file, settings: ModelSettings(file.metadata))
    } else {
      let checkpoint = try SafetensorsCheckpoint(path: path)
      plan = try ModelPlan(
        checkpoint,
        settings: ModelSettings(configuration: JSONReader.read(path: path + "/config.json")))
    }
    transformer = try plan.load(
      compute: Compute(threads: threads, instructionSet: instructionSet))
  }

  func workspace(capacity: Int, context: Int = 512) -> Workspace {
    Workspace(
      transformer.configuration, capacity: capacity, context: context,
      threads: transformer.compute.pool.threads)
  }

  func emptyState(context: Int = 512, backend: MatmulBackend = .simd) -> ModelState {
    transformer.emptyState(
      context: context, keysAndValues: backend == .blas ? .float32 : .float16)
  }

  /// The logits of every position, with the tokens fed in pieces of the given sizes; the last size
  /// goes on to the end.
  func logits(
    of tokens: [Int32], backend: MatmulBackend = .simd, pieces: [Int] = []
  ) throws -> [[Float]] {
    var state = emptyState(context: max(512, tokens.count), backend: backend)
    return try read(tokens, into: &state, backend: backend, pieces: pieces)
  }

  /// The same from a state that has read something already.
  func read(
    _ tokens: [Int32], into state: inout ModelState, backend: MatmulBackend = .simd,
    pieces: [Int] = []
  ) throws -> [[Float]] {
    let largest = max(pieces.max() ?? tokens.count, 1)
    let workspace = workspace(capacity: largest, context: state.context)
    var logits: [[Float]] = []
    var start = 0
    var sizes = pieces[...]
    while start < tokens.count {
      let size = (sizes.count > 1 ? sizes.removeFirst() : sizes.first) ?? tokens.count
      let end = min(start + size, tokens.count)
      try transformer.read(
        tokens[start..<end], state: &state, workspace: workspace, backend: backend, logits: .all
      ) { _, rows in
        for row in 0..<rows.rows { logits.append(rows.elements(row: row)) }
      }
      start = end
    }
    return logits
  }

  /// Greedy tokens after a prompt.
  func greedy(after prompt: [Int32], count: Int, backend: MatmulBackend) throws -> [Int32] {
    var state = emptyState(backend: backend)
    var logits = try read(prompt, into: &state, backend: backend)
    var tokens: [Int32] = []
    while tokens.count < count, let row = logits.last {
      let token = Int32(row.indices.max { row[$0] < row[$1] } ?? 0)
      tokens.append(token)
      logits = try read([token], into: &state, backend: backend)
    }
    return tokens
  }
}
