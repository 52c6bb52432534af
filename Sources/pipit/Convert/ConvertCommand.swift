import Conversion
import Dispatch
import Inference
import JSON
import Kernels
import ModelLibrary

/// `pipit convert`: plans, tells, writes, and measures where that is asked for.
struct ConvertCommand {
  private let invocation: Invocation
  private var console: Console { invocation.console }
  private var options: Options { invocation.options }

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  func run() async throws -> ExitCode {
    try invocation.refuseArguments(after: 2)
    let request = try invocation.argument(0, "SOURCE")
    let output = try invocation.argument(1, "OUTPUT")
    let text = try options.convert.text.map { try PerplexityText.read($0) }
    let source = try sourcePath(request)
    let plan = try ConversionPlan(path: source, choice: options.convert.choice)
    for line in ConvertWords.left(plan) { console.note(line) }
    if let group = options.convert.choice.form.packing?.group,
      let line = ConvertWords.passedOver(plan, group: group)
    {
      console.note(line)
    }

    let interrupt = Interrupt()
    let start = ContinuousClock.now
    do {
      try await write(plan, to: output, interrupt)
    } catch ConversionError.cancelled {
      console.complain(ConvertWords.cancelled(output))
      return interrupt.exitCode ?? .interrupted
    }
    var report = ConversionReport(
      plan: plan, output: output, seconds: (ContinuousClock.now - start) / .seconds(1))
    if let text {
      report.before = try await perplexity(text, of: source)
      report.after = try await perplexity(text, of: output)
    }
    switch options.form {
    case .json: try console.write(report.json.text + "\n")
    default: try console.write(report.text)
    }
    return .done
  }

  /// Writes on a thread of its own; Ctrl-C stops it.
  private func write(
    _ plan: ConversionPlan, to output: String, _ interrupt: Interrupt
  ) async throws {
    let cancellation = CancellationFlag()
    Signals.listen { signal in
      if interrupt.note(signal) { cancellation.cancel() }
    }
    defer {
      Signals.listen(nil)
      Signals.settle()
      console.clearMeter()
    }
    let (console, threads) = (console, threads)
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      DispatchQueue(label: "convert").async {
        let meter = ConvertMeter(console: console)
        continuation.resume(
          with: Result {
            try Converter(plan, threads: threads, cancellation: cancellation).write(to: output) {
              meter.show(done: $0, total: $1)
            }
          })
      }
    }
  }

  private var threads: Int {
    if case .count(let count)? = options.threads { return count }
    return Engines.availableThreads
  }

  /// A path as it is, or that of an installed model of this name.
  private func sourcePath(_ text: String) throws -> String {
    try invocation.library.resolve(text).path
  }

  private func perplexity(_ text: String, of path: String) async throws -> PerplexityResult {
    let length = PerplexityPlan.usualChunkLength
    let reference = ModelReference(
      name: path, path: path,
      options: ModelOptions(contextLength: length, threads: threads))
    return try await PerplexityRun(console: console).measure(
      text, reference, chunkLength: length, budget: invocation.memoryBudget)
  }
}
