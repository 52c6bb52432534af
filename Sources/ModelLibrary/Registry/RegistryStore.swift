import FoundationEssentials
import Glibc

/// Something about the registry that a user should hear once.
package enum RegistryNote: Sendable, Hashable {
  /// It could not be read, and was made anew from the files.
  case rebuilt(setAside: String, reason: String)
  /// Models whose files were removed by other means.
  case gone([String])
}

/// The registry's file, and bringing it in line with what is on disk.
struct RegistryStore: Sendable {
  let library: ModelLibrary

  private static let sizeLimit = 64_000_000

  private var path: String { library.directories.models + "/registry.json" }

  /// The registry as it is on disk, corrected by what is there; nothing is written.
  func read() -> Registry { load().registry }

  /// The registry, with what was found wrong put right on disk.
  func reconcile() -> (registry: Registry, notes: [RegistryNote]) {
    guard Folders.exists(library.directories.models) else { return (Registry(), []) }
    let loaded = load()
    guard !loaded.notes.isEmpty || loaded.registry != loaded.stored else {
      return (loaded.registry, [])
    }
    // A directory that cannot be written still has its models.
    let notes = (try? update { _ in }) ?? loaded.notes
    return (loaded.registry, notes)
  }

  /// Changes the registry, alone among processes.
  ///
  /// - Throws: `LibraryError.cannotWrite`.
  @discardableResult
  func update(_ change: (inout Registry) -> Void) throws(LibraryError) -> [RegistryNote] {
    try PrivateFiles.makeDirectory(library.directories.models)
    let lock = try FolderLock(library.directories.models + "/.registry.lock")
    defer { withExtendedLifetime(lock) {} }
    let loaded = load()
    for case .rebuilt(let aside, _) in loaded.notes { try Folders.rename(path, to: aside) }
    var registry = loaded.registry
    change(&registry)
    try PrivateFiles.write(Data(registry.text.utf8), to: path)
    return loaded.notes
  }

  private func load() -> (registry: Registry, stored: Registry?, notes: [RegistryNote]) {
    var notes: [RegistryNote] = []
    var stored: Registry?
    if Folders.exists(path) {
      do {
        stored = try Registry(try SmallFiles.read(path, limit: Self.sizeLimit))
      } catch {
        let aside = "\(path).damaged-\(Int(Date().timeIntervalSince1970))"
        notes.append(.rebuilt(setAside: aside, reason: "\(error)"))
      }
    }
    var registry = stored ?? Registry()
    let installed = library.installed()
    let gone = registry.entries.keys.filter { name in
      !installed.contains { $0.name == name }
    }.sorted()
    for name in gone { registry.entries[name] = nil }
    if !gone.isEmpty { notes.append(.gone(gone)) }
    for model in installed where registry.entries[model.name] == nil {
      registry.entries[model.name] = found(model)
    }
    return (registry, stored, notes)
  }

  /// What the files alone tell of a model.
  private func found(_ model: InstalledModel) -> Registry.Entry {
    let files = library.files(of: model).map { path in
      Registry.File(
        name: path.split(separator: "/").last.map(String.init) ?? path,
        byteCount: Folders.byteCount(path) ?? 0)
    }
    var entry = Registry.Entry(files: files)
    let (catalog, _) = Catalog.load(library.directories)
    for row in catalog.models {
      for variant in row.variants {
        let expected = variant.sources.first?.files ?? []
        // By name and size: a digest is only known once it was computed.
        let isSame =
          !expected.isEmpty
          && expected.allSatisfy { file in
            files.contains { $0.name == file.name && $0.byteCount == file.byteCount }
          }
        if isSame {
          entry.catalogName = row.name
          entry.variant = variant.name
          entry.licence = row.licence
          return entry
        }
      }
    }
    return entry
  }
}
