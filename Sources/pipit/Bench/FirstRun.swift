import Conversations
import Inference
import JSON
import ModelLibrary
import Synchronization

/// `pipit bench --first-run`: what a newcomer wants to know of this machine, in seconds.
struct FirstRun {
  private let invocation: Invocation
  private let reference: ModelReference
  private let budget: MemoryBudget

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    let isFree = invocation.arguments.isEmpty && invocation.options.model == nil
    let bundled = isFree && !Engines.isScripted ? invocation.library.bundled().first : nil
    reference =
      if let bundled {
        try invocation.modelReference(bundled.name)
      } else {
        try invocation.requestedModel()
      }
    budget = MemoryBudget(isForced: invocation.options.force)
  }

  func show() async throws -> ExitCode {
    let console = invocation.console
    let interrupt = Interrupt()
    let isSkipped = Atomic(false)
    let work = Task { try await measure() }
    let keys = KeyWatch {
      isSkipped.store(true, ordering: .relaxed)
      work.cancel()
    }
    defer { keys?.stop() }
    Signals.listen { signal in
      if interrupt.note(signal) { work.cancel() }
    }
    console.note(BenchWords.measuring(reference.name, hasKeys: keys != nil))
    let outcome = await work.result
    console.clearMeter()
    if let code = interrupt.exitCode { return code }
    if isSkipped.load(ordering: .relaxed) {
      console.note(BenchWords.skipped)
      return .done
    }
    let report = try outcome.get()
    switch invocation.options.form {
    case .json: try console.write(report.json.text + "\n")
    default: try console.writeWords(report.text)
    }
    return .done
  }

  private func measure() async throws -> FirstRunReport {
    var options = invocation.options
    options.bench.promptTokens = options.bench.promptTokens ?? 128
    options.bench.repetitions = options.bench.repetitions ?? 2
    options.sampling.maxTokens = options.sampling.maxTokens ?? 32
    let runner = BenchRunner(
      plan: BenchPlan(options), reference: reference, budget: budget,
      console: invocation.console)
    let result = try await runner.measure(threads: nil)
    try Task.checkCancellation()
    return FirstRunReport(
      result: result, memory: .probe(), sample: try await sample(), cpu: processorName())
  }

  /// A few sentences, always the same ones.
  private func sample() async throws -> String {
    let engine = try Engines.makeEngine()
    _ = try await engine.load(reference, budget: budget) { _ in }
    let session = ChatSession(
      engine: engine, settings: ChatSettings(maximumTokens: 64, seed: 1))
    let turn = try await session.send(BenchWords.samplePrompt) { _ in
      try Task.checkCancellation()
    }
    await engine.unload()
    return turn.reply.content
  }
}
