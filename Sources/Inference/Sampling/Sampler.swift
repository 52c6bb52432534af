package import Kernels
package import Tokenizers

// Choosing a token.
//
// The order is: penalties, temperature, top-k, top-p, min-p, draw. Every set that a filter keeps is
// defined by the total order of `Candidate` (likelier first, of equals the lower token), never by
// the order of a scan, and weights are added in one stated order in double precision, so the
// choice is the same on every machine.
//
// A vocabulary has up to 250,000 tokens and is never sorted. With top-k one pass keeps a heap of k
// whose unlikeliest member turns nearly every token away. Without it the likely ones become a heap in
// linear time, from which only the nucleus is taken (`Nucleus`). Without any filter the draw walks the
// vocabulary. Everything is allocated when the sampler is made.

/// Chooses tokens from logits, the same for the same seed.
package struct Sampler: Sendable {
  private let parameters: SamplingParameters
  private let random: RandomNumbers
  private let vocabularyCount: Int
  private let kernels: KernelTable
  private var counts: TokenCounts?
  private var heap: CandidateHeap
  private var nucleus: Nucleus
  /// The kept candidates' weights, the likeliest first.
  private var kept: [Nucleus.Member] = []
  /// The weights of all tokens, where they are drawn from all.
  private var weights: [Double] = []
  /// The largest logit of each block.
  private var maxima: [Float]

  /// A sampler for one reply.
  ///
  /// Logits at or past `vocabularyCount` are padding and never chosen. `contextLength` sizes what
  /// the penalties remember. Tokens do not depend on `kernels`, which are those of any instruction set.
  ///
  /// - Throws: `SamplingError` if a parameter is out of range.
  package init(
    _ parameters: SamplingParameters, seed: UInt64, vocabularyCount: Int, contextLength: Int,
    kernels: KernelTable = .portable
  ) throws(SamplingError) {
    precondition(vocabularyCount > 0, "A vocabulary has tokens.")
    try parameters.validate()
    self.parameters = parameters
    random = RandomNumbers(seed: seed)
    self.vocabularyCount = vocabularyCount
    self.kernels = kernels
    if parameters.hasPenalties {
      counts = TokenCounts(vocabularyCount: vocabularyCount, capacity: contextLength)
    }
    let blockCount = KernelTable.blockCount
    maxima = Array(repeating: 0, count: (vocabularyCount + blockCount - 1) / blockCount)
    let capacity =
      switch parameters.method {
      case .greedy, .walk: 0
      case .limited(let limit): min(limit, vocabularyCount)
      case .nucleus: vocabularyCount
      }
    heap = CandidateHeap(capacity: parameters.method.isLimited ? capacity : 0)
    nucleus = Nucleus(
      parameters, capacity: parameters.method.isNucleus ? capacity : 0, kernels: kernels)
    if parameters.method.isWalk {
      weights = Array(repeating: 0, count: vocabularyCount)
    }
    kept.reserveCapacity(capacity)
  }

  /// Tells the sampler the tokens before the reply: the repetition penalty covers them.
  package mutating func record(prompt: some Sequence<TokenID>) {
    guard counts != nil else { return }
    for token in prompt { counts?.record(token, isReply: false) }
  }

  /// Tells the sampler a token of the reply, drawn or imposed.
  package mutating func record(_ token: TokenID) {
    counts?.record(token, isReply: true)
  }

  /// The n-th token of the reply, n from 0.
  ///
  /// Penalties are applied to `logits` in place; otherwise they stay as they are.
  ///
  /// - Throws: `EngineError.nonFiniteLogit`.
  package mutating func sample(
    _ logits: inout MutableSpan<Float>, step n: Int
  ) throws(EngineError) -> TokenID {
    precondition(logits.count >= vocabularyCount, "There are fewer logits than tokens.")
    var maximum = try likeliest(logits.span.extracting(first: vocabularyCount), step: n)
    if let counts {
      penalise(&logits, counts)
      maximum = try likeliest(logits.span.extracting(first: vocabularyCount), step: n)
    }
    let span = logits.span.extracting(first: vocabularyCount)
    switch parameters.method {
    case .greedy:
      return maximum
    case .walk:
      return drawFromAll(span, maximum: span[Int(maximum)], step: n)
    case .limited(let limit):
      keepLikeliest(span, limit: limit)
    case .nucleus:
      nucleus.find(in: span, maxima, maximum: span[Int(maximum)], into: &kept)
    }
    return draw(step: n)
  }

  /// The likeliest token, of equals the lowest.
  ///
  /// - Throws: `EngineError.nonFiniteLogit`.
  package static func likeliest(
    _ logits: Span<Float>, step: Int
  ) throws(EngineError) -> TokenID {
    // A block is looked at closely only if it has something above the best so far, or something
    // not finite; the two questions are integer reductions, which the compiler vectorises.
    var best = 0
    var maximum = -Float.infinity
    var start = 0
    while start < logits.count {
      let block = logits.extracting(start..<min(start + blockCount, logits.count))
      if block.hasOutlier(above: maximum) {
        for index in block.indices {
          let logit = block[index]
          guard logit.isFinite else {
            throw .nonFiniteLogit(token: start + index, step: step)
          }
          if logit > maximum {
            maximum = logit
            best = start + index
          }
        }
      }
      start += blockCount
    }
    return TokenID(best)
  }

  /// The same by way of `maxima`, which it fills.
  private mutating func likeliest(
    _ logits: Span<Float>, step: Int
  ) throws(EngineError) -> TokenID {
    let kernels = kernels
    var span = maxima.mutableSpan
    guard kernels.blockMaxima(logits, into: &span) else {
      return try Self.likeliest(logits, step: step)
    }
    let start = kernels.indexOfMaximum(maxima.span) * KernelTable.blockCount
    let end = min(start + KernelTable.blockCount, logits.count)
    return TokenID(start + kernels.indexOfMaximum(logits.extracting(start..<end)))
  }

  private static let blockCount = 64
  private static let largest = Double(Float.greatestFiniteMagnitude)

  private func penalise(_ logits: inout MutableSpan<Float>, _ counts: TokenCounts) {
    let repetition = parameters.repetitionPenalty
    for token in counts.distinct {
      var logit = Double(logits[Int(token)])
      logit = logit > 0 ? logit / repetition : logit * repetition
      let count = counts.replyCount(of: token)
      if count > 0 {
        logit -= parameters.presencePenalty + Double(count) * parameters.frequencyPenalty
      }
      // Finite whatever the penalties: an infinite weight could not be drawn from.
      logits[Int(token)] = Float(min(max(logit, -Self.largest), Self.largest))
    }
  }

  private func weight(_ logit: Float, maximum: Float) -> Double {
    DeterministicMath.exponential((Double(logit) - Double(maximum)) / parameters.temperature)
  }

  /// Top-k, then top-p and min-p among the k.
  private mutating func keepLikeliest(_ logits: Span<Float>, limit: Int) {
    let limit = min(limit, logits.count)
    heap.removeAll()
    var threshold = -Float.infinity
    for number in maxima.indices
    // A later token that equals the unlikeliest kept one loses to it, so `>` is enough.
    where heap.items.count < limit || maxima[number] > threshold {
      let start = number * KernelTable.blockCount
      let end = min(start + KernelTable.blockCount, logits.count)
      for index in start..<end where heap.items.count < limit || logits[index] > threshold {
        heap.offer(Candidate(logit: logits[index], token: Int32(index)), limit: limit)
        threshold = heap.items.first?.logit ?? threshold
      }
    }
    heap.sortLikeliestFirst()

    let maximum = heap.items.first?.logit ?? 0
    var total = 0.0
    kept.removeAll(keepingCapacity: true)
    for candidate in heap.items {
      let weight = weight(candidate.logit, maximum: maximum)
      total += weight
      kept.append((candidate.token, weight))
    }
    trim(total: total)
  }

  /// Drops from `kept` what top-p and then min-p exclude; the likeliest always stays.
  private mutating func trim(total: Double) {
    var sum = 0.0
    var count = 0
    for (_, weight) in kept {
      guard count == 0 || (sum < parameters.topP * total && weight >= parameters.minP) else {
        break
      }
      sum += weight
      count += 1
    }
    kept.removeLast(kept.count - count)
  }

  /// Fills `weights` and returns their sum.
  private mutating func weighAll(_ logits: Span<Float>, maximum: Float) -> Double {
    let (kernels, temperature) = (kernels, parameters.temperature)
    var span = weights.mutableSpan
    return kernels.samplingWeights(
      logits, maximum: maximum, temperature: temperature, into: &span)
  }

  private func draw(step n: Int) -> TokenID {
    var total = 0.0
    for (_, weight) in kept { total += weight }
    let target = random.unit(at: n) * total
    var sum = 0.0
    for (token, weight) in kept {
      sum += weight
      if sum > target { return token }
    }
    // Only if every weight after the first is too small to change the sum.
    return kept.first?.token ?? 0
  }

  private mutating func drawFromAll(
    _ logits: Span<Float>, maximum: Float, step n: Int
  ) -> TokenID {
    let target = random.unit(at: n) * weighAll(logits, maximum: maximum)
    var sum = 0.0
    for index in weights.indices {
      sum += weights[index]
      if sum > target { return TokenID(index) }
    }
    return TokenID(weights.count - 1)
  }
}
