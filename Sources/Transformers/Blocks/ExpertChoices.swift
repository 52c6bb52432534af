import Kernels

/// The experts that each token of a chunk visits, in ascending order, and what their outputs are
/// multiplied by.
struct ExpertChoices: Sendable {
  private let active: Int
  private let experts: Slab<Int32>  // (token × active)
  private let weights: Slab<Float>  // (token × active)

  init(_ shape: ExpertShape, capacity: Int) {
    active = shape.active
    experts = Slab(count: capacity * shape.active)
    weights = Slab(count: capacity * shape.active)
  }

  static func byteCount(_ shape: ExpertShape, capacity: Int) -> Int {
    capacity * shape.active * (MemoryLayout<Int32>.stride + MemoryLayout<Float>.stride)
  }

  /// Chooses by the router's logits: softmax over all experts, the largest probabilities, ties to the
  /// lower index.
  ///
  /// A logit that is not a number counts as minus infinity, so that a choice is always made.
  func choose(for token: Int, by logits: FloatRows, _ shape: ExpertShape) {
    func logit(_ expert: Int) -> Double {
      let logit = logits[token, expert]
      return logit.isNaN ? -.infinity : Double(logit)
    }
    var largest = -Double.infinity
    for expert in 0..<shape.count { largest = max(largest, logit(expert)) }
    func weight(_ expert: Int) -> Double {
      let logit = logit(expert)
      return logit == largest ? 1 : ExactMath.exponential(logit - largest)
    }

    let first = token * active
    var norm = 0.0
    var last: (expert: Int, logit: Double)?
    for count in 0..<active {
      var best: (expert: Int, logit: Double)?
      for expert in 0..<shape.count {
        let logit = logit(expert)
        let isTaken =
          last.map { logit > $0.logit || logit == $0.logit && expert <= $0.expert } ?? false
        if !isTaken, best.map({ logit > $0.logit }) ?? true { best = (expert, logit) }
      }
      guard let best else { preconditionFailure("fewer than \(active) experts") }
      norm += weight(best.expert)
      insert(best.expert, after: count, from: first)
      last = best
    }
    if !shape.isNormalised {
      norm = 0
      for expert in 0..<shape.count { norm += weight(expert) }
    }
    for place in first..<first + active {
      weights[place] = Float(weight(Int(experts[place])) / norm)
    }
  }

  /// Puts an expert into its place among the `count` that are there from `first` on.
  private func insert(_ expert: Int, after count: Int, from first: Int) {
    var place = first + count
    while place > first, experts[place - 1] > expert {
      experts[place] = experts[place - 1]
      place -= 1
    }
    experts[place] = Int32(truncatingIfNeeded: expert)
  }

  /// The weight of an expert; nil when the token did not choose it.
  func weight(of expert: Int, for token: Int) -> Float? {
    for place in token * active..<(token + 1) * active where Int(experts[place]) == expert {
      return weights[place]
    }
    return nil
  }
}
