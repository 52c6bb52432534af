import Inference

extension ModelLibrary {
  /// The installed model with the most bytes of those that fit into `available` bytes of memory with
  /// the shortest useful context; nil when none does.
  ///
  /// Reads the headers of every installed model.
  package func largestModel(fitting available: Int) -> InstalledModel? {
    installed().filter { model in
      let context = MemoryBudget.smallestContext
      guard
        let plan = try? MemoryPlan(path: model.path, options: ModelOptions(), context: context)
      else { return false }
      return plan.need(positions: context).total <= available
    }.max { $0.byteCount < $1.byteCount }
  }
}
