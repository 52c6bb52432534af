import Inference

extension ModelLibrary {
  /// The installed model with the most bytes of weights, of those that have fewer than `weights` and
  /// fit into `available` bytes of memory with the shortest useful context; nil when there is none.
  ///
  /// Reads the headers of every installed model.
  package func largestModel(fitting available: Int, smallerThan weights: Int) -> InstalledModel? {
    let context = MemoryBudget.smallestContext
    var best: (model: InstalledModel, weights: Int)?
    for model in installed() {
      let estimate = try? ModelEstimate(
        path: model.path, options: ModelOptions(contextLength: context))
      guard let estimate, estimate.weights < weights, estimate.weights > best?.weights ?? 0,
        estimate.plan.need(positions: context).total <= available
      else { continue }
      best = (model, estimate.weights)
    }
    return best?.model
  }
}
