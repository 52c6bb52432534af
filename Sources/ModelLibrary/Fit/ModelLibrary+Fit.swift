import Inference

extension ModelLibrary {
  /// The installed model with the most bytes of those that fit into `available` bytes of memory with
  /// the shortest useful context; nil when none does.
  ///
  /// Reads the headers of every installed model.
  package func largestModel(fitting available: Int) -> InstalledModel? {
    installed().filter { model in
      let context = MemoryBudget.smallestContext
      let estimate = try? ModelEstimate(
        path: model.path, options: ModelOptions(contextLength: context))
      guard let estimate else { return false }
      return estimate.plan.need(positions: context).total <= available
    }.max { $0.byteCount < $1.byteCount }
  }
}
