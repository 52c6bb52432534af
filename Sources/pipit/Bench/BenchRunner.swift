import Inference
import Tokenizers

/// Measures a model through the engine that users talk to.
struct BenchRunner: Sendable {
  let plan: BenchPlan
  let reference: ModelReference
  let budget: MemoryBudget
  let console: Console

  /// Loads the model with so many threads (nil is the engine's choice) and measures.
  ///
  /// The footprint is taken before the backends are compared, which users' replies never do.
  ///
  /// - Throws: `BenchFailure.insane` where the figures are those of nonsense.
  func measure(threads: Int?) async throws -> BenchResult {
    var reference = reference
    if let threads { reference.options.threads = threads }
    if reference.options.contextLength == nil {
      reference.options.contextLength = plan.contextLength
    }
    let engine = try Engines.makeEngine()
    let meter = ProgressMeter(console: console)
    let clock = ContinuousClock()
    let start = clock.now
    let model: ModelDescription
    do {
      model = try await engine.load(reference, budget: budget) { meter.show($0) }
    } catch MemoryRefusal.modelContext(let asked, let length)
      where self.reference.options.contextLength == nil
    {
      throw BenchFailure.tooLong(needed: asked, context: length)
    }
    let loadTime = start.duration(to: clock.now) / .seconds(1)
    meter.clear()
    let prompts = PromptMaker(model: model, depth: plan.depth)
    let probe = Engines.probe(engine)

    console.showMeter(BenchWords.measuring)
    // The first run pays for pages and caches that later ones find warm.
    _ = try await run(engine, prompts.make(0, 16), reply: 4)
    var prefill = Measurement(promptTokens: plan.promptTokens)
    var decode = Measurement(generatedTokens: plan.generatedTokens)
    var firstTokens: [Double] = []
    var estimates: (peak: Int?, anonymous: Int?)
    for repetition in 1...plan.repetitions {
      let figures = try await runAtDepth(
        engine, prompts.make(repetition, plan.promptTokens), reply: 1)
      if let rate = figures.prefillTokensPerSecond { prefill.rates.append(rate) }
      if let time = figures.timeToFirstToken { firstTokens.append(time) }
      let reply = try await runAtDepth(
        engine, prompts.make(-repetition, 1), reply: plan.generatedTokens + 1)
      if let rate = reply.decodeTokensPerSecond { decode.rates.append(rate) }
      for run in [figures, reply] where run.estimatedPeak ?? 0 > estimates.peak ?? 0 {
        estimates = (run.estimatedPeak, run.estimatedAnonymous)
      }
    }
    let footprint = Footprint.probe()
    let traffic = probe?.traffic(at: plan.decodedPositions)
    let bandwidth = await probe?.measureReadBandwidth()
    console.showMeter(BenchWords.checking)
    var sanity: BenchSanity?
    if let probe { sanity = try await checkSanity(probe) }
    await engine.unload()
    console.clearMeter()
    return BenchResult(
      model: model, threads: probe?.threads ?? threads,
      backend: probe?.backend ?? reference.options.backend?.rawValue ?? "simd",
      depth: plan.depth, prefill: prefill, decode: decode, loadTime: loadTime,
      timeToFirstToken: firstTokens.isEmpty ? nil : Measurement.mean(firstTokens),
      footprint: footprint, estimatedPeak: estimates.peak,
      estimatedAnonymous: estimates.anonymous, readBandwidth: bandwidth,
      traffic: traffic, keyValueBytesPerToken: probe?.keyValueBytesPerToken, sanity: sanity)
  }

  /// Reads the tokens of the depth first, so that only the rest is measured.
  private func runAtDepth(
    _ engine: any InferenceEngine, _ prompt: PromptMaker.Prompt, reply: Int
  ) async throws -> Statistics {
    if !prompt.depth.isEmpty { _ = try await run(engine, prompt.onlyDepth, reply: 1) }
    return try await run(engine, prompt, reply: reply)
  }

  private func run(
    _ engine: any InferenceEngine, _ prompt: PromptMaker.Prompt, reply: Int
  ) async throws -> Statistics {
    let parameters = GenerationParameters(
      maximumTokens: reply, sampling: .greedy, stopsLoops: false, drafting: .off,
      ignoresEndOfTurn: true)
    var figures: Statistics?
    for try await event in engine.generate(prompt.depth + prompt.fresh, parameters) {
      if case .finished(let statistics) = event { figures = statistics }
    }
    guard let figures else { throw BenchFailure.noFigures }
    return figures
  }

  /// Compares a short prompt's logits with those of its tokens one by one, which other kernels
  /// compute, and with those of the other backend; nil where there is none.
  private func checkSanity(_ probe: any SpeedProbe) async throws -> BenchSanity? {
    let tokens = PromptMaker(vocabulary: 256, depth: 0).make(1, 16).fresh
    let simd = try await probe.logits(of: tokens, chunk: nil, backend: .simd)
    var sanity = BenchSanity()
    sanity.compare(
      simd, oneByOne: try await probe.logits(of: tokens, chunk: 1, backend: .simd))
    if sanity.differences > 0 { throw BenchFailure.insane(sanity) }
    let blas: [[Float]]
    do {
      blas = try await probe.logits(of: tokens, chunk: nil, backend: .blas)
    } catch EngineError.noReferenceBackend {
      return nil
    }
    for (simd, blas) in zip(simd, blas) { sanity.add(simd: simd, reference: blas) }
    if !sanity.isSound { throw BenchFailure.insane(sanity) }
    return sanity
  }
}

/// Why a benchmark has no result.
enum BenchFailure: Error, CustomStringConvertible {
  case noFigures
  /// The tests need more context than the model has, in tokens.
  case tooLong(needed: Int, context: Int)
  case insane(BenchSanity)

  var description: String {
    switch self {
    case .noFigures: "The engine ended a reply without figures."
    case .tooLong(let needed, let context): BenchWords.tooLong(needed, context)
    case .insane(let sanity): BenchWords.insane(sanity)
    }
  }
}
