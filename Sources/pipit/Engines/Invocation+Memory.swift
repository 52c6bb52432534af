import Inference
import ModelLibrary

extension Invocation {
  /// What decides over memory, for every command that loads a model.
  var memoryBudget: MemoryBudget {
    let console = console
    let library = library
    return MemoryBudget(
      isForced: options.force,
      smallerModel: { library.largestModel(fitting: $0, smallerThan: $1)?.name },
      sentinel: LoadSentinel(directory: library.directories.loads),
      warn: { console.complain($0.description) })
  }
}
