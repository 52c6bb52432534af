import Foundation
import Inference
import Tokenizers

/// Sampling by the book: everything sorted, the C library's exponential.
struct ReferenceSampler {
  let parameters: SamplingParameters
  let seed: UInt64
  let vocabularyCount: Int
  var prompt: [TokenID] = []
  var reply: [TokenID] = []

  init(_ parameters: SamplingParameters, seed: UInt64, vocabularyCount: Int) {
    self.parameters = parameters
    self.seed = seed
    self.vocabularyCount = vocabularyCount
  }

  func sample(_ original: [Float], step: Int) -> TokenID {
    var logits = original
    for token in Set(prompt + reply) {
      var logit = Double(logits[Int(token)])
      if logit > 0 {
        logit /= parameters.repetitionPenalty
      } else {
        logit *= parameters.repetitionPenalty
      }
      let count = reply.count { $0 == token }
      if count > 0 {
        logit -= parameters.presencePenalty + parameters.frequencyPenalty * Double(count)
      }
      logits[Int(token)] = Float(logit)
    }
    let sorted = logits.indices.sorted { (logits[$0], -$0) > (logits[$1], -$1) }
    if parameters.temperature == 0 { return TokenID(sorted[0]) }
    let maximum = Double(logits[sorted[0]])
    var kept = sorted.map {
      (token: $0, weight: exp((Double(logits[$0]) - maximum) / parameters.temperature))
    }
    if parameters.topK > 0 { kept = Array(kept.prefix(parameters.topK)) }
    let total = kept.reduce(0) { $0 + $1.weight }
    var sum = 0.0
    var nucleus: [(token: Int, weight: Double)] = []
    for candidate in kept where nucleus.isEmpty || sum < parameters.topP * total {
      sum += candidate.weight
      nucleus.append(candidate)
    }
    nucleus.removeAll { $0.weight < parameters.minP }
    // Without a filter tokens are drawn in the order of the vocabulary.
    if parameters.topK == 0, parameters.topP == 1, parameters.minP == 0 {
      nucleus.sort { $0.token < $1.token }
    }
    let target =
      RandomNumbers(seed: seed).unit(at: step) * nucleus.reduce(0) { $0 + $1.weight }
    sum = 0
    for candidate in nucleus {
      sum += candidate.weight
      if sum > target { return TokenID(candidate.token) }
    }
    return TokenID(nucleus[0].token)
  }
}

/// A small generator of test data.
struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// Logits spread like a trained model's; coarse ones have many ties.
  mutating func logits(_ count: Int, coarse: Bool = false) -> [Float] {
    (0..<count).map { _ in
      var sum: Float = 0
      for _ in 0..<4 { sum += Float(next() >> 40) / Float(1 << 24) }
      let logit = (sum - 2) * 6
      return coarse ? logit.rounded() : logit
    }
  }
}
