import Kernels

/// The experts that a token visits, in ascending order, and what their outputs are multiplied by.
struct ExpertChoice: Sendable {
  let experts: [(index: Int, weight: Float)]

  /// Chooses by the router's logits: softmax over all experts, the largest probabilities, ties to the
  /// lower index.
  ///
  /// A logit that is not a number counts as minus infinity, so that a choice is always made.
  init(_ logits: [Float], _ shape: ExpertShape) {
    let logits = logits.map { $0.isNaN ? -Double.infinity : Double($0) }
    let largest = logits.max() ?? 0
    let weights = logits.map {
      $0 == largest ? 1 : ExactMath.exponential($0 - largest)
    }
    let total = weights.reduce(0, +)
    let chosen = logits.indices.sorted {
      (logits[$1], $0) < (logits[$0], $1)
    }.prefix(shape.active)
    let norm = shape.isNormalised ? chosen.reduce(0) { $0 + weights[$1] } : total
    experts = chosen.sorted().map { ($0, Float(weights[$0] / norm)) }
  }

  /// The weight of an expert; nil when it was not chosen.
  func weight(of expert: Int) -> Float? {
    experts.first { $0.index == expert }?.weight
  }
}
