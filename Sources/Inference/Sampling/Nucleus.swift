import Kernels

/// The likeliest tokens of a vocabulary that together reach top-p, those below min-p left out.
///
/// By definition tokens are taken, the likeliest first, while the sum of their weights is below top-p of
/// the total, which is the sum of all weights in ascending order of the token. But 150,000 exponentials
/// and as many additions, each waiting for the one before, took more time than everything else about a
/// token but the model. So the total is estimated first, within a proven error. If every total within
/// that error gives the same nucleus, it is the exact one, and it nearly always is: the error is 2·10⁻⁷ of
/// the total, and the last token's weight rarely is as little. Else the total is computed.
struct Nucleus: Sendable {
  /// A token and its weight, e^((logit − maximum) / temperature).
  typealias Member = (token: Int32, weight: Double)

  private let topP: Double
  private let minP: Double
  private let temperature: Double
  private let kernels: KernelTable
  private var heap: CandidateHeap
  /// The weights of all tokens, or only of those blocks that may have a candidate.
  private var weights: [Double]

  /// For vocabularies of up to `capacity` tokens.
  init(_ parameters: SamplingParameters, capacity: Int, kernels: KernelTable) {
    topP = parameters.topP
    minP = parameters.minP
    temperature = parameters.temperature
    self.kernels = kernels
    heap = CandidateHeap(capacity: capacity)
    weights = [Double](repeating: 0, count: capacity)
  }

  /// Fills `members` with the nucleus of `logits`, the likeliest first; `maximum` is the largest of them,
  /// and `maxima` those of each block.
  mutating func find(
    in logits: Span<Float>, _ maxima: [Float], maximum: Float, into members: inout [Member]
  ) {
    let estimate = kernels.estimatedTotalWeight(
      logits, maximum: maximum, temperature: temperature)
    if let estimate {
      let error = KernelTable.estimatedTotalWeightError
      let total = estimate / (1 + error)...estimate / (1 - error)
      if find(in: logits, maxima, maximum: maximum, total: total, into: &members) { return }
    }
    let total = weigh(logits, 0..<logits.count, maximum: maximum)
    _ = find(in: logits, maxima, maximum: maximum, total: total...total, into: &members)
  }

  /// Finds the nucleus for a total that is somewhere in a range; whether it is that of each total in it.
  private mutating func find(
    in logits: Span<Float>, _ maxima: [Float], maximum: Float, total: ClosedRange<Double>,
    into members: inout [Member]
  ) -> Bool {
    // Tokens lighter than this have together less than what top-p leaves out, so none of them is
    // in the nucleus, and the heap is spared most of the vocabulary.
    let negligible = (1 - topP) * total.upperBound / Double(logits.count)
    let lightest = max(minP, negligible)
    let wanted = topP * total.lowerBound...topP * total.upperBound
    // Mostly the heavy ones alone are enough, which are few. Sums in another order than theirs differ by
    // less than the margin.
    let hasEnough =
      topP < 1 && lightest < Self.heavy / 2
      && gather(logits, maxima, above: bound(Self.heavy, maximum: maximum), maximum: maximum)
        >= wanted.upperBound * (1 + 1e-9)
    if !hasEnough {
      // A logit at the bound itself may weigh less by rounding.
      let low = bound(lightest, maximum: maximum) - Float(1e-6 * temperature)
      _ = gather(logits, maxima, above: low.nextDown, maximum: maximum, lightest: lightest)
    }
    heap.makeLikeliestFirst()
    members.removeAll(keepingCapacity: true)
    var sum = 0.0
    while sum < wanted.lowerBound, let candidate = heap.popLikeliest() {
      let weight = weights[Int(candidate.token)]
      sum += weight
      members.append((candidate.token, weight))
    }
    // For every total in the range all of these are wanted. For none is another one: either they are
    // enough for each, or there is no other that is heavy enough for min-p, which knows no total.
    return sum >= wanted.upperBound || (heap.isEmpty && lightest == minP)
      || total.lowerBound == total.upperBound
  }

  /// A weight that mostly only hundreds of a vocabulary reach.
  private static let heavy = 1.0 / 256

  /// The logit at which a token has a weight, rounded.
  private func bound(_ weight: Double, maximum: Float) -> Float {
    let exponent = ExactMath.logarithm(max(weight, .leastNormalMagnitude))
    return Float(Double(maximum) + temperature * exponent)
  }

  /// Puts the tokens into the heap whose logits are above a bound and which weigh `lightest` or more,
  /// and returns the sum of their weights.
  private mutating func gather(
    _ logits: Span<Float>, _ maxima: [Float], above bound: Float, maximum: Float,
    lightest: Double = .leastNonzeroMagnitude
  ) -> Double {
    var sum = 0.0
    heap.removeAll()
    for number in maxima.indices where maxima[number] > bound {
      let start = number * KernelTable.blockCount
      let block = start..<min(start + KernelTable.blockCount, logits.count)
      _ = weigh(logits, block, maximum: maximum)
      for index in block where logits[index] > bound && weights[index] >= lightest {
        sum += weights[index]
        heap.append(Candidate(logit: logits[index], token: Int32(index)))
      }
    }
    return sum
  }

  /// Computes the weights of some tokens, and their sum in ascending order of the token.
  private mutating func weigh(
    _ logits: Span<Float>, _ block: Range<Int>, maximum: Float
  ) -> Double {
    let (kernels, temperature) = (kernels, temperature)
    var span = weights.mutableSpan
    return kernels.samplingWeights(
      logits.extracting(block), maximum: maximum, temperature: temperature, into: &span,
      at: block.lowerBound)
  }
}
