import JSON
import Inference

extension Command {
  static let bench = Command(
    name: "bench",
    summary: "measure tokens per second and memory",
    usage: ["bench [MODEL] [OPTIONS]", "bench --first-run"],
    discussion: [
      """
      Prefill is reading a prompt of -p tokens, decode is writing a reply of -n tokens, both \
      after -d tokens of context and -r times. The bound on decode is the memory bandwidth, \
      measured in the same run, divided by the bytes that a token moves: weights, keys and \
      values at that depth, and the recurrent state of hybrids.
      """,
      """
      Before it shows a figure, bench checks that the model's output is finite and not constant \
      and that both backends agree on it. Of memory it shows every metric by its name, beside what \
      was estimated. '--threads auto' measures each number of threads and \
      prints the curve.
      """,
    ],
    examples: ["pipit bench smollm2 -p 256 -n 64", "pipit bench --csv > bench.csv"],
    flags: Flag.named(
      "--n-prompt", "--repetitions", "--n-depth", "--csv", "--first-run", "--max-tokens")
      + Flag.model + Flag.named("--json") + Flag.everywhere,
    operand: .model,
    run: { invocation in
      let options = invocation.options
      if options.bench.isFirstRun { return try await FirstRun(invocation).show() }
      let runner = BenchRunner(
        plan: BenchPlan(options), reference: try invocation.requestedModel(),
        budget: invocation.memoryBudget, console: invocation.console)
      var results: [BenchResult] = []
      for threads in threadCounts(options) {
        // What the row before took at its peak, its comparison of backends above all, is not this
        // one's.
        let isPeakOwn = results.isEmpty || Footprint.forgetPeak()
        var result = try await runner.measure(threads: threads)
        if !isPeakOwn { result.footprint.peakResident = nil }
        results.append(result)
      }
      try show(results, invocation)
      return .done
    })

  /// The numbers of threads to measure; nil is the engine's choice.
  private static func threadCounts(_ options: Options) -> [Int?] {
    switch options.threads {
    case nil: return [nil]
    case .count(let count)?: return [count]
    case .automatic?:
      let all = Engines.availableThreads
      let steps = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128].filter { $0 < all }
      return steps + [all]
    }
  }

  private static func show(_ results: [BenchResult], _ invocation: Invocation) throws {
    let console = invocation.console
    let options = invocation.options
    let cpu = processorName()
    let records = results.flatMap { result in
      [result.prefill, result.decode].map { measurement in
        (BenchRecord(result, measurement, options: options, cpu: cpu), measurement)
      }
    }
    switch options.form {
    case .json:
      try console.write(JSONValue.array(records.map { $0.0.json($0.1) }).text + "\n")
    case .csv:
      let lines = [records.first?.0.header].compactMap { $0 } + records.map(\.0.line)
      try console.writeWords(lines.joined(separator: "\n") + "\n")
    case .text, .ndjson:
      if results.count > 1 { try console.writeWords(BenchTable.curve(results) + "\n") }
      let best = results.max { $0.decode.mean < $1.decode.mean }
      if let best { try console.writeWords(BenchTable.text(best)) }
    }
  }
}
