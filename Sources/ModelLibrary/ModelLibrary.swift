import FoundationEssentials

/// The models on this machine and which of them is meant.
package struct ModelLibrary: Sendable {
  package let directories: Directories

  package init(directories: Directories) {
    self.directories = directories
  }

  /// What is installed, by name.
  package func installed() -> [InstalledModel] { models(in: directories.models, isBundled: false) }

  /// What came with the program, less what was installed under the same name.
  package func bundled() -> [InstalledModel] {
    let names = Set(installed().map(\.name))
    return models(in: directories.bundled, isBundled: true).filter { !names.contains($0.name) }
  }

  /// All that can be loaded by its name.
  package func available() -> [InstalledModel] { installed() + bundled() }

  /// The models of a folder's folders, by name; one that is no model is left out.
  private func models(in directory: String, isBundled: Bool) -> [InstalledModel] {
    Folders.names(directory).compactMap { name in
      guard FileNames.isSafe(name) else { return nil }
      let folder = directory + "/" + name
      guard let (path, form) = try? Self.model(at: folder), path != folder || form != .gguf else {
        return nil
      }
      return InstalledModel(
        name: name, path: path, byteCount: Self.byteCount(path, form), form: form,
        isBundled: isBundled)
    }
  }

  /// Where a model's files are.
  func folder(of model: InstalledModel) -> String {
    (model.isBundled ? directories.bundled : directories.models) + "/" + model.name
  }

  /// The model of that name, installed or bundled.
  package func installed(_ name: String) throws(LibraryError) -> InstalledModel {
    let all = available()
    if let model = all.first(where: { $0.name == name }) { return model }
    let folded = all.filter { $0.name.lowercased() == name.lowercased() }
    if folded.count == 1 { return folded[0] }
    throw absence(of: name, among: all.map(\.name))
  }

  /// That a model is not here: with the way to it where the menu has it, else with a similar name.
  private func absence(of name: String, among known: [String]) -> LibraryError {
    let catalog = Catalog.load(directories).catalog
    guard let choice = (try? catalog.choice(name)) ?? catalog.choice(installedAs: name) else {
      return .notInstalled(name: name, nearest: nearestName(to: name, in: known))
    }
    if choice.model.isBundledOnly {
      return .bundledMissing(name: choice.installName, folder: directories.bundled)
    }
    let isDefault = choice.installName == choice.model.name
    return .notPulled(
      name: name,
      request: isDefault ? choice.model.name : choice.model.name + ":" + choice.variant.name,
      byteCount: choice.estimatedByteCount, isEstimate: choice.variant.byteCount == nil)
  }

  /// The model that a name or path means; without one, config.json's, else the only one installed,
  /// and where none is, the one that came with the program.
  package func resolve(_ request: String?) throws(LibraryError) -> (name: String, path: String) {
    if let request { return try resolve(named: request) }
    if let name = try Configuration(path: directories.config).model {
      do throws(LibraryError) {
        return try resolve(named: name)
      } catch {
        throw .defaultMissing(name: name, config: directories.config)
      }
    }
    let all = installed()
    guard let only = all.first ?? bundled().first else { throw .nothingInstalled }
    if all.count > 1 { throw .severalInstalled(all.map(\.name)) }
    return (only.name, only.path)
  }

  /// The name of the model used when none is named; nil when there is no telling.
  package func defaultName() throws(LibraryError) -> String? {
    if let name = try Configuration(path: directories.config).model { return name }
    let all = installed()
    return all.count > 1 ? nil : all.first?.name ?? bundled().first?.name
  }

  /// Installed names go before paths; what has a slash or ends in .gguf is a path.
  private func resolve(named request: String) throws(LibraryError) -> (name: String, path: String) {
    let looksLikePath = request.contains("/") || request.lowercased().hasSuffix(".gguf")
    do throws(LibraryError) {
      let model = try installed(request)
      return (model.name, model.path)
    } catch {
      if Self.exists(request) {
        return (Self.displayName(request), try Self.model(at: request).path)
      }
      if (try? HubReference(request)) != nil, HubReference.isReference(request) {
        throw .onHub(name: request, request: request)
      }
      throw looksLikePath ? .noSuchFile(path: request) : error
    }
  }

  /// Sets the model that is used when none is named.
  package func setDefault(_ name: String) throws(LibraryError) -> InstalledModel {
    let model = try installed(name)
    try configure { $0.model = model.name }
    return model
  }

  /// Changes what the user has chosen for good.
  package func configure(_ change: (inout Configuration) -> Void) throws(LibraryError) {
    var configuration = try Configuration(path: directories.config)
    change(&configuration)
    try configuration.write(to: directories.config)
  }

  /// What to load at a path: the file itself, the only GGUF file of a folder, or a checkpoint.
  static func model(
    at path: String
  ) throws(LibraryError) -> (path: String, form: InstalledModel.Form) {
    guard Folders.isDirectory(path) else { return (path, .gguf) }
    if path.count > 1, path.hasSuffix("/") { return try model(at: String(path.dropLast())) }
    let names = Folders.names(path)
    let ggufs = names.filter { $0.lowercased().hasSuffix(".gguf") && !$0.hasPrefix(".") }
    if let first = firstPart(of: ggufs) { return (path + "/" + first, .gguf) }
    if ggufs.count == 1 { return (path + "/" + ggufs[0], .gguf) }
    if ggufs.count > 1 { throw .severalFiles(path: path, ggufs) }
    let hasWeights = names.contains { $0.hasSuffix(".safetensors") }
    if names.contains("config.json"), hasWeights { return (path, .checkpoint) }
    throw .notAModel(path: path)
  }

  /// `models/smol.gguf` is called smol.
  static func displayName(_ path: String) -> String {
    var name = path[...]
    while name.count > 1, name.last == "/" { name.removeLast() }
    if let slash = name.lastIndex(of: "/"), slash != name.index(before: name.endIndex) {
      name = name[name.index(after: slash)...]
    }
    return name.lowercased().hasSuffix(".gguf") ? String(name.dropLast(5)) : String(name)
  }

  private static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  /// The first part, where the files are the parts of one model and nothing else.
  private static func firstPart(of names: [String]) -> String? {
    let parts = names.compactMap { GGUFName($0) }
    guard names.count > 1, parts.count == names.count,
      parts.allSatisfy({ $0.stem == parts[0].stem && $0.count == names.count }),
      parts.compactMap(\.number) == Array(1...names.count)
    else { return nil }
    return names[0]
  }

  /// The files that a model is made of, links not followed.
  package func files(of model: InstalledModel) -> [String] {
    let folder = folder(of: model)
    return Folders.names(folder).filter { FileNames.isSafe($0) && !$0.hasSuffix(".part") }
      .map { folder + "/" + $0 }.filter { !Folders.isDirectory($0) }
  }

  private static func byteCount(_ path: String, _ form: InstalledModel.Form) -> Int {
    let folder = form == .gguf ? path.parentPath : path
    let suffix = form == .gguf ? ".gguf" : ".safetensors"
    return Folders.names(folder).filter { $0.lowercased().hasSuffix(suffix) }
      .reduce(0) { $0 + (Folders.byteCount(folder + "/" + $1) ?? 0) }
  }
}
