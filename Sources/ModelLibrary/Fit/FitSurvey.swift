package import Inference

/// Which models fit a machine.
package struct FitSurvey: Sendable {
  /// Smallest first.
  package private(set) var fits: [ModelFit] = []
  /// Models of which nothing can be told, and why.
  package private(set) var obstacles: [(name: String, reason: String)] = []

  /// Looks at the models of these names or paths, or at all that are installed or on the menu.
  ///
  /// - Throws: `LibraryError` for a name or path that means nothing.
  package init(
    library: ModelLibrary, names: [String], options: ModelOptions, on machine: MachineMemory
  ) throws(LibraryError) {
    for model in try Self.models(library, names) {
      do {
        // The table shows the model's own length, whatever the verdict is about.
        var loaded = options
        loaded.contextLength = nil
        let estimate = try ModelEstimate(path: model.path, options: loaded)
        fits.append(
          ModelFit(
            name: model.name, isInstalled: true, estimate: estimate,
            context: options.contextLength, on: machine))
      } catch {
        obstacles.append((model.name, "\(error)"))
      }
    }
    fits.sort { ($0.weights, $0.name) < ($1.weights, $1.name) }
  }

  private static func models(
    _ library: ModelLibrary, _ names: [String]
  ) throws(LibraryError) -> [(name: String, path: String)] {
    if names.isEmpty { return library.installed().map { ($0.name, $0.path) } }
    var models: [(name: String, path: String)] = []
    for name in names { models.append(try library.resolve(name)) }
    return models
  }
}
