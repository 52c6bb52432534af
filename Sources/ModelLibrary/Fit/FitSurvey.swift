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
    for subject in try Self.subjects(library, names) {
      let chosen = subject.options(options, library)
      // The table shows the model's own length, whatever the verdict is about.
      var whole = chosen
      whole.contextLength = nil
      do {
        fits.append(
          ModelFit(
            name: subject.name, isInstalled: subject.isInstalled,
            estimate: try subject.estimate(whole), context: chosen.contextLength, on: machine))
      } catch {
        obstacles.append((subject.name, "\(error)"))
      }
    }
    fits.sort { ($0.weights, $0.name) < ($1.weights, $1.name) }
  }

  /// A model that is asked about.
  private enum Subject {
    case files(name: String, path: String)
    case row(CatalogChoice)

    var name: String {
      switch self {
      case .files(let name, _): name
      case .row(let choice): choice.installName
      }
    }

    var isInstalled: Bool {
      if case .files = self { true } else { false }
    }

    /// What the model is loaded with.
    func options(_ asked: ModelOptions, _ library: ModelLibrary) -> ModelOptions {
      switch self {
      case .files(let name, let path): return library.options(asked, for: name, path: path)
      case .row(let choice):
        var options = asked
        options.contextLength = asked.contextLength ?? choice.model.overrides.contextLength
        options.keyValueBits = asked.keyValueBits ?? choice.model.overrides.keyValueBits
        return options
      }
    }

    func estimate(_ options: ModelOptions) throws -> ModelEstimate {
      switch self {
      case .files(_, let path): try ModelEstimate(path: path, options: options)
      case .row(let choice): ModelEstimate(sizes: ModelSizes(choice), options: options)
      }
    }
  }

  private static func subjects(
    _ library: ModelLibrary, _ names: [String]
  ) throws(LibraryError) -> [Subject] {
    let catalog = Catalog.load(library.directories).catalog
    var subjects: [Subject] = []
    for name in names {
      do throws(LibraryError) {
        let (name, path) = try library.resolve(name)
        subjects.append(.files(name: name, path: path))
      } catch {
        guard let choice = try? catalog.choice(name) else { throw error }
        subjects.append(.row(choice))
      }
    }
    guard names.isEmpty else { return subjects }
    let installed = library.installed() + library.bundled()
    let rows = catalog.models.filter { !$0.isBundledOnly }.compactMap { model -> Subject? in
      let choice = CatalogChoice(model: model, variant: model.variants[0])
      let isInstalled = installed.contains { $0.name == choice.installName }
      return isInstalled ? nil : .row(choice)
    }
    return installed.map { .files(name: $0.name, path: $0.path) } + rows
  }
}
