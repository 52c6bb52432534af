import JSON
import Inference

/// Measures perplexity chunk by chunk and shows on a terminal how far it has come.
struct PerplexityRun: Sendable {
  let console: Console

  func measure(
    _ text: String, _ reference: ModelReference, chunkLength: Int, budget: MemoryBudget
  ) async throws -> PerplexityResult {
    let meter = ProgressMeter(console: console)
    let model = try await Engines.openEvaluated(reference, budget: budget) { meter.show($0) }
    meter.clear()
    let tokens = try model.encode(text)
    let plan = try PerplexityPlan(
      tokens, beginning: model.textBeginning, chunkLength: chunkLength)
    var estimate = PerplexityEstimate()
    let start = ContinuousClock.now
    for index in 0..<plan.chunkCount {
      estimate.add(
        try await model.surprisals(of: plan.chunk(index), after: plan.firstPosition))
      let elapsed = (ContinuousClock.now - start) / .seconds(1)
      let left = elapsed / Double(index + 1) * Double(plan.chunkCount - index - 1)
      console.showMeter(
        """
        Chunk \(index + 1) of \(plan.chunkCount): perplexity \
        \(Figures.fixed(estimate.value, 4)), \(Figures.duration(left)) left
        """)
    }
    console.clearMeter()
    return PerplexityResult(
      estimate: estimate, tokens: tokens.count, chunks: plan.chunkCount, chunkLength: chunkLength,
      threads: model.speed.threads, backend: model.speed.backend,
      seconds: (ContinuousClock.now - start) / .seconds(1))
  }
}

/// A perplexity and how it came about.
struct PerplexityResult: Sendable {
  let estimate: PerplexityEstimate
  /// Tokens of the text.
  let tokens: Int
  let chunks: Int
  let chunkLength: Int
  let threads: Int
  let backend: String
  let seconds: Double

  /// The figure and its standard error.
  var line: String {
    "\(Figures.fixed(estimate.value, 4)) ± \(Figures.fixed(estimate.standardError, 4))"
  }

  /// What the figure is of.
  var remark: String {
    """
    \(Figures.grouped(estimate.count)) predictions in \(Figures.grouped(chunks)) chunks of \
    \(Figures.grouped(chunkLength)) tokens, in \(Figures.duration(seconds))
    """
  }

  func json(model: ModelReference, file: String) -> JSONValue {
    .members([
      ("model", .string(model.name)), ("file", .string(file)),
      ("perplexity", .number(estimate.value)),
      ("standard_error", .number(estimate.standardError)),
      ("predictions", .integer(estimate.count)), ("tokens", .integer(tokens)),
      ("chunks", .integer(chunks)), ("chunk_tokens", .integer(chunkLength)),
      ("threads", .integer(threads)), ("backend", .string(backend)),
      ("seconds", .number(seconds)),
    ])
  }
}
