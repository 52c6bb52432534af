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
  private let cancellation: CancellationFlag
  private let emit: (GenerationEvent) -> Void

  private var statistics: Statistics
  private let start = ContinuousClock.now
  private var events: [GenerationEvent] = []

  init(
    model: ResidentModel, prompt: [TokenID], parameters: GenerationParameters,
    budget: MemoryBudget, cancellation: CancellationFlag,
    emit: @escaping (GenerationEvent) -> Void
  ) {
    self.model = model
    self.prompt = prompt
    self.parameters = parameters
    self.budget = budget
    self.cancellation = cancellation
    self.emit = emit
    statistics = Statistics(promptTokens: prompt.count, seed: parameters.seed)
    events.reserveCapacity(8)
  }

  /// Generates the reply, whose last event is `.finished`.
  ///
  /// - Throws: `MemoryRefusal` before anything is computed, `EngineError`, or what went wrong while
  ///   computing.
  mutating func run(_ reading: inout ResidentModel.Reading) throws {
    guard !prompt.isEmpty else { throw EngineError.emptyPrompt }
    let count = model.transformer.configuration.vocabularySize
    if let unknown = prompt.first(where: { $0 < 0 || Int($0) >= count }) {
      throw EngineError.unknownToken(unknown, count: count)
    }
    reuse(&reading)
    let replyLimit = try admittedReply(held: reading.state.position)
    model.transformer.compute.pool.cancellation = cancellation
    defer { model.transformer.compute.pool.cancellation = nil }

    if let logits = try readPrompt(&reading) {
      statistics.stopReason = try reply(&reading, logits: logits, limit: replyLimit)
    } else {
      statistics.stopReason = .cancelled
    }
    statistics.duration = seconds(since: start)
    statistics.footprint = Footprint.probe(includingProportional: false)
    emit(.finished(statistics))
  }

  /// The most tokens that the reply may have, once context and memory have admitted prompt and
  /// reply; `held` positions are in memory already.
  private func admittedReply(held: Int) throws -> Int {
    let limit = try ContextWindow(
      length: model.context, modelLength: model.description.contextLength
    ).admit(promptTokens: prompt.count, replyTokens: parameters.maximumTokens)
    let reserved = parameters.maximumTokens ?? min(limit, Self.reservedReply)
    try budget.admit(
      model.memory, positions: prompt.count + reserved, held: model.held(positions: held))
    return limit
  }

  /// Tokens for which memory is reserved when the reply's length is not stated.
  private static let reservedReply = 256

  /// Keeps what the state and the prompt have in common; the last token is always read again, for
  /// its logits.
  private mutating func reuse(_ reading: inout ResidentModel.Reading) {
    if reading.state.position != reading.tokens.count {
      // A pass failed and could not be taken back.
      reading.forgetAll(model)
    }
    var common = 0
    while common < min(reading.tokens.count, prompt.count - 1),
      reading.tokens[common] == prompt[common]
    {
      common += 1
    }
    if common < reading.state.position {
      if common == 0 {
        statistics.reuseNote = "the prompt begins differently from what was read before"
      }
      if !reading.state.isRewindable {
        // A delta net's memory cannot go back: the prompt is read from its beginning.
        common = 0
        statistics.reuseNote = "this model's memory cannot be taken back to an earlier position"
        reading.forgetAll(model)
      } else {
        reading.state.truncate(to: common)
        reading.tokens.removeLast(reading.tokens.count - common)
      }
    }
    statistics.reusedTokens = common
  }

  /// Reads the rest of the prompt in chunks; nil when cancelled.
  private mutating func readPrompt(
    _ reading: inout ResidentModel.Reading
  ) throws -> FloatRows? {
    let first = reading.state.position
    let total = prompt.count - first
    emit(.prefill(done: 0, total: total))
    let began = ContinuousClock.now
    var logits: FloatRows?
    while reading.state.position < prompt.count {
      let position = reading.state.position
      let end = min(position + model.workspace.capacity, prompt.count)
      let isLast = end == prompt.count
      guard
        try read(
          prompt[position..<end], &reading, logits: isLast ? .last : .none, into: &logits)
      else { return nil }
      emit(.prefill(done: end - first, total: total))
    }
    statistics.prefillTokensPerSecond = Double(total) / seconds(since: began)
    return logits
  }

  private mutating func reply(
    _ reading: inout ResidentModel.Reading, logits firstLogits: FloatRows, limit: Int
  ) throws -> StopReason {
    var logits: FloatRows? = firstLogits
    var sampler = try Sampler(
      parameters.sampling, seed: parameters.seed,
      vocabularyCount: min(
        model.tokenizer.count, model.transformer.configuration.vocabularySize),
      contextLength: model.context)
    sampler.record(prompt: prompt)
    var decoder = StreamingDecoder(model.tokenizer)
    var assembler = ReplyAssembler(
      stopStrings: parameters.stopStrings, tags: model.prompts.tags,
      startsInsideThinking: parameters.startsInsideThinking)
    let closing = try model.thinkingClosing
    var thinkingBudget = ThinkingBudget(
      limit: ThinkingBudget.limit(
        asked: parameters.thinkingBudget, replyTokens: parameters.maximumTokens,
        closingCount: closing.count),
      closing: closing)
    var loops = LoopDetector()
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
          reason = .length
        }
      }
      flushEvents()
      if reason == nil, try !read([token], &reading, logits: .last, into: &logits) {
        reason = .cancelled
      }
    }
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
    _ tokens: ArraySlice<TokenID>, _ reading: inout ResidentModel.Reading,
    logits wanted: Transformer.Logits, into logits: inout FloatRows?
  ) throws -> Bool {
    if cancellation.isCancelled { return false }
    do {
      try model.transformer.read(
        tokens, state: &reading.state, workspace: model.workspace, backend: model.backend,
        logits: wanted
      ) { _, rows in logits = rows }
    } catch ModelError.cancelled {
      return false
    }
    reading.tokens += tokens
    return true
  }

  private mutating func flushEvents() {
    for event in events { emit(event) }
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

extension ResidentModel.Reading {
  /// Goes back to having read nothing.
  fileprivate mutating func forgetAll(_ model: ResidentModel) {
    state = model.transformer.emptyState(
      context: model.context, keysAndValues: model.keyValueType)
    tokens = []
  }
}
