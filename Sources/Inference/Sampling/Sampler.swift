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
// whose unlikeliest member turns nearly every token away. Without it all tokens become a heap in
// linear time, from which only the nucleus is taken. Without any filter the draw walks the
// vocabulary. Everything is allocated when the sampler is made.

/// Chooses tokens from logits, the same for the same seed.
package struct Sampler: Sendable {
  private let parameters: SamplingParameters
  private let random: RandomNumbers
  private let vocabularyCount: Int
  private let kernels: KernelTable
  private var counts: TokenCounts?
  private var heap: CandidateHeap
  /// The kept candidates' weights, the likeliest first.
  private var kept: [(token: Int32, weight: Double)] = []
  /// The weights of all tokens, where no limit spares it.
  private var weights: [Double] = []

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
    let capacity =
      switch parameters.method {
      case .greedy, .walk: 0
      case .limited(let limit): min(limit, vocabularyCount)
      case .nucleus: vocabularyCount
      }
    heap = CandidateHeap(capacity: capacity)
    if parameters.method.weighsAll {
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
      if !parameters.method.isLimited {
        maximum = try likeliest(logits.span.extracting(first: vocabularyCount), step: n)
      }
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
      keepNucleus(span, maximum: span[Int(maximum)])
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

  private func likeliest(_ logits: Span<Float>, step: Int) throws(EngineError) -> TokenID {
    guard kernels.areFinite(logits) else { return try Self.likeliest(logits, step: step) }
    return TokenID(kernels.indexOfMaximum(logits))
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
    var start = 0
    while start < logits.count {
      let block = logits.extracting(start..<min(start + Self.blockCount, logits.count))
      // A later token that equals the unlikeliest kept one loses to it, so `>` is enough.
      if heap.items.count < limit || block.hasOutlier(above: threshold) {
        for index in block.indices where heap.items.count < limit || block[index] > threshold {
          heap.offer(Candidate(logit: block[index], token: Int32(start + index)), limit: limit)
          threshold = heap.items.first?.logit ?? threshold
        }
      }
      start += Self.blockCount
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

  /// Top-p and min-p among the whole vocabulary.
  private mutating func keepNucleus(_ logits: Span<Float>, maximum: Float) {
    let total = weighAll(logits, maximum: maximum)
    let wanted = parameters.topP * total
    // Tokens lighter than this have together less than what top-p leaves out, so none of them is
    // in the nucleus, and the heap is spared most of the vocabulary.
    let negligible = (1 - parameters.topP) * total / Double(logits.count)
    let lightest = max(parameters.minP, negligible)
    // Mostly the heavy ones alone are enough, which are few. Sums in another order than theirs differ by
    // less than the margin.
    let hasEnough =
      parameters.topP < 1 && lightest < Self.heavy / 2
      && gather(logits, above: bound(Self.heavy, maximum: maximum)) >= wanted * (1 + 1e-9)
    if !hasEnough {
      // A logit at the bound itself may weigh less by rounding.
      let low = bound(lightest, maximum: maximum) - Float(1e-6 * parameters.temperature)
      _ = gather(logits, above: low.nextDown, lightest: lightest)
    }
    heap.makeLikeliestFirst()
    kept.removeAll(keepingCapacity: true)
    var sum = 0.0
    while sum < wanted, let candidate = heap.popLikeliest() {
      let weight = weights[Int(candidate.token)]
      sum += weight
      kept.append((candidate.token, weight))
    }
  }

  /// A weight that mostly only hundreds of a vocabulary reach.
  private static let heavy = 1.0 / 256

  /// The logit at which a token has a weight, rounded.
  private func bound(_ weight: Double, maximum: Float) -> Float {
    let exponent = ExactMath.logarithm(max(weight, .leastNormalMagnitude))
    return Float(Double(maximum) + parameters.temperature * exponent)
  }

  /// Puts the tokens into the heap whose logits are above a bound and which weigh `lightest` or more,
  /// and returns the sum of their weights.
  private mutating func gather(
    _ logits: Span<Float>, above bound: Float, lightest: Double = .leastNonzeroMagnitude
  ) -> Double {
    var sum = 0.0
    heap.removeAll()
    var start = 0
    while start < logits.count {
      let block = start..<min(start + Self.blockCount, logits.count)
      if logits.extracting(block).hasOutlier(above: bound) {
        for index in block where logits[index] > bound && weights[index] >= lightest {
          sum += weights[index]
          heap.append(Candidate(logit: logits[index], token: Int32(index)))
        }
      }
      start += Self.blockCount
    }
    return sum
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
