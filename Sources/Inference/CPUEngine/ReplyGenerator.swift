import Kernels
import Tokenizers
import Transformers

/// Generates one reply: reads what is new of the prompt, then samples token after token.
///
/// Runs on the engine's queue from beginning to end.
struct ReplyGenerator {
  private let model: ResidentModel
  private let prompt: [TokenID]
  private let parameters: GenerationParameters
  private let budget: MemoryBudget
  private var watch: ReplyWatch
  private let cancellation: CancellationFlag
  private let emit: (GenerationEvent) -> Void

  private var statistics: Statistics
  private let start = ContinuousClock.now
  private var events: [GenerationEvent] = []

  init(
    model: ResidentModel, prompt: [TokenID], parameters: GenerationParameters,
    budget: MemoryBudget, conditions: MachineConditions, cancellation: CancellationFlag,
    emit: @escaping (GenerationEvent) -> Void
  ) {
    self.model = model
    self.prompt = prompt
    self.parameters = parameters
    self.budget = budget
    watch = ReplyWatch(budget: budget, conditions: conditions)
    self.cancellation = cancellation
    self.emit = emit
    statistics = Statistics(promptTokens: prompt.count, seed: parameters.seed)
    events.reserveCapacity(8)
  }

  /// Generates the reply, whose last event is `.finished`.
  ///
  /// - Throws: `MemoryRefusal` before anything is computed, `EngineError`, or what went wrong while
  ///   computing.
  mutating func run(_ memory: inout PromptMemory) throws {
    guard !prompt.isEmpty else { throw EngineError.emptyPrompt }
    let count = model.transformer.configuration.vocabularySize
    if let unknown = prompt.first(where: { $0 < 0 || Int($0) >= count }) {
      throw EngineError.unknownToken(unknown, count: count)
    }
    let reuse = memory.begin(prompt)
    statistics.reusedTokens = reuse.reused
    statistics.reuseNote = reuse.note
    let replyLimit = try admittedReply(&memory)
    model.transformer.compute.pool.cancellation = cancellation
    defer {
      model.transformer.compute.pool.cancellation = nil
      memory.finish()
    }

    switch try readPrompt(&memory, stops: memory.stops(prompt, reuse)) {
    case .read(let logits):
      statistics.stopReason = try reply(&memory, logits: logits, limit: replyLimit)
    case .stopped(let reason): statistics.stopReason = reason
    }
    statistics.duration = seconds(since: start)
    statistics.footprint = Footprint.probe()
    let need = model.memory.need(
      positions: memory.live.state.position, snapshots: memory.snapshotByteCount)
    statistics.estimatedPeak = need.total
    statistics.estimatedAnonymous = need.anonymous
    emit(.finished(statistics))
  }

  /// The most tokens that the reply may have, once context and memory have admitted both.
  ///
  /// Snapshots give way before a prompt is refused.
  private func admittedReply(_ memory: inout PromptMemory) throws -> Int {
    let limit = try ContextWindow(
      length: model.context, modelLength: model.description.contextLength
    ).admit(promptTokens: prompt.count, replyTokens: parameters.maximumTokens)
    let reserved = parameters.maximumTokens ?? min(limit, Self.reservedReply)
    func admit() throws(MemoryRefusal) {
      var plan = model.memory
      plan.fixed.snapshots = memory.snapshotLimit
      try budget.admit(
        plan, positions: prompt.count + reserved,
        held: model.held(
          positions: memory.live.state.position, snapshots: memory.snapshotByteCount))
    }
    do {
      memory.snapshotLimit = model.memory.fixed.snapshots
      try admit()
    } catch {
      memory.snapshotLimit = 0
      try admit()
    }
    return limit
  }

  /// Tokens for which memory is reserved when the reply's length is not stated.
  private static let reservedReply = 256

  private enum PromptReading {
    /// All of it; the logits are those of its last token.
    case read(FloatRows)
    case stopped(StopReason)
  }

  /// Reads the rest of the prompt in chunks, with snapshots at `stops`.
  private mutating func readPrompt(
    _ memory: inout PromptMemory, stops: [Int]
  ) throws -> PromptReading {
    let first = memory.live.state.position
    let total = prompt.count - first
    emit(.prefill(done: 0, total: total))
    let began = ContinuousClock.now
    var logits: FloatRows?
    var position = first
    while position < prompt.count {
      let stop = stops.first { $0 > position } ?? prompt.count
      let end = min(position + model.workspace.capacity, stop)
      let isLast = end == prompt.count
      guard
        try read(
          prompt[position..<end], &memory, logits: isLast ? .last : .none, into: &logits)
      else { return .stopped(.cancelled) }
      if let reason = lookAtMachine(&memory) { return .stopped(reason) }
      if stops.contains(end) { memory.keepSnapshot() }
      emit(.prefill(done: end - first, total: total))
      position = end
    }
    statistics.prefillTokensPerSecond = Double(total) / seconds(since: began)
    return logits.map { .read($0) } ?? .stopped(.cancelled)
  }

  /// Why the machine does not allow to go on; nil when it does.
  private mutating func lookAtMachine(_ memory: inout PromptMemory) -> StopReason? {
    let cancellation = cancellation
    let stop = watch.look(
      dropSnapshots: { memory.dropSnapshots() }, isCancelled: { cancellation.isCancelled })
    guard let stop else { return nil }
    statistics.stopNote = stop.note
    return stop.reason
  }

  private mutating func reply(
    _ memory: inout PromptMemory, logits firstLogits: FloatRows, limit: Int
  ) throws -> StopReason {
    var logits: FloatRows? = firstLogits
    var sampler = try Sampler(
      parameters.sampling, seed: parameters.seed,
      vocabularyCount: min(
        model.tokenizer.count, model.transformer.configuration.vocabularySize),
      contextLength: model.context, kernels: model.transformer.compute.kernels)
    sampler.record(prompt: prompt)
    var decoder = StreamingDecoder(model.tokenizer)
    var assembler = ReplyAssembler(
      stopStrings: parameters.stopStrings, tags: model.prompts.tags,
      startsInsideThinking: parameters.startsInsideThinking)
    let closing = try model.thinkingClosing
    var thinkingBudget = ThinkingBudget(
      limit: ThinkingBudget.limit(
        asked: parameters.thinkingBudget, replyTokens: limit,
        closingCount: closing.count),
      closing: closing)
    var loops = LoopDetector()
    let reading: DraftReader.Read = { [self] tokens, memory, wanted in
      var rows: FloatRows?
      return try read(tokens, &memory, logits: wanted, into: &rows) ? rows : nil
    }
    var reader = DraftReader(
      prompt: prompt, context: model.context,
      drafting: model.backend == .simd ? parameters.drafting : .off)
    var decodeBegan: ContinuousClock.Instant?
    var reason: StopReason?

    while reason == nil, let row = logits {
      let step = statistics.generatedTokens
      let token =
        try thinkingBudget.next(isThinking: assembler.isThinking) ?? sampler.sample(row, step: step)
      sampler.record(token)
      statistics.generatedTokens += 1
      if step == 0 {
        statistics.timeToFirstToken = seconds(since: start)
        decodeBegan = .now
      }
      let isEnd = model.endOfTurn.contains(token)
      if isEnd, !parameters.ignoresEndOfTurn {
        assembler.append("", token: token, into: &events)
        reason = .endOfTurn
      } else {
        assembler.append(decoder.append(token), token: token, into: &events)
        if assembler.hasStopped {
          reason = .stopString
        } else if parameters.stopsLoops, loops.append(token) != nil {
          reason = .loop
        } else if statistics.generatedTokens >= limit {
          reason = parameters.lengthReason
        }
      }
      flushEvents()
      if reason == nil { reason = lookAtMachine(&memory) }
      if reason == nil {
        logits = try reader.logits(after: token, &memory, read: reading)
        if logits == nil { reason = .cancelled }
      }
    }
    try reader.finish(&memory, read: reading)
    statistics.acceptedDraftTokens = reader.accepted
    assembler.finish(tail: decoder.flush(), into: &events)
    flushEvents()
    statistics.reasoningTokens = assembler.reasoningTokens
    if let decodeBegan, statistics.generatedTokens > 1 {
      statistics.decodeTokensPerSecond =
        Double(statistics.generatedTokens - 1) / seconds(since: decodeBegan)
    }
    return reason ?? .cancelled
  }

  /// Reads tokens; false when cancelled, and then nothing of them is kept.
  private func read(
    _ tokens: ArraySlice<TokenID>, _ memory: inout PromptMemory,
    logits wanted: Transformer.Logits, into logits: inout FloatRows?
  ) throws -> Bool {
    if cancellation.isCancelled { return false }
    do {
      try memory.read(tokens) { state in
        try model.transformer.read(
          tokens, state: &state, workspace: model.workspace, backend: model.backend,
          logits: wanted
        ) { _, rows in logits = rows }
      }
    } catch ModelError.cancelled {
      return false
    }
    return true
  }

  private mutating func flushEvents() {
    // Iterating over the array itself would hold it, and removing would then make another.
    for index in events.indices { emit(events[index]) }
    events.removeAll(keepingCapacity: true)
  }

  private func seconds(since instant: ContinuousClock.Instant) -> Double {
    (ContinuousClock.now - instant) / .seconds(1)
  }
}

extension Sampler {
  fileprivate mutating func sample(
    _ row: FloatRows, step: Int
  ) throws(EngineError) -> TokenID {
    try row.withMutableRow(0) { (logits) throws(EngineError) in
      try sample(&logits, step: step)
    }
  }
}
