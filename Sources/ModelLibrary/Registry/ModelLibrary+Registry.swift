package import Inference

/// Whether the files of an installed model are as they were installed.
package enum ModelCondition: String, Sendable, Hashable {
  case sound
  /// A file is missing.
  case incomplete
  /// A file is another than the one whose digest was taken.
  case changed
}

extension ModelLibrary {
  /// What is known of the installed models; what was wrong with the record is put right and told.
  package func registry() -> (registry: Registry, notes: [RegistryNote]) {
    RegistryStore(library: self).reconcile()
  }

  /// Whether the files of a model are as they were, by their sizes and times alone.
  package func condition(of model: InstalledModel, _ entry: Registry.Entry?) -> ModelCondition {
    let folder = folder(of: model)
    for file in entry?.files ?? [] {
      guard let size = Folders.byteCount(folder + "/" + file.name) else { return .incomplete }
      if size != file.byteCount { return .changed }
      if let identity = file.identity,
        identity != Registry.File.identity(of: folder + "/" + file.name)
      {
        return .changed
      }
    }
    return .sound
  }

  /// The SHA-256 of a model's file, if it was taken of the file as it is now.
  package func rememberedDigest(of path: String) -> String? {
    guard let identity = Registry.File.identity(of: path) else { return nil }
    for entry in RegistryStore(library: self).read().entries.values {
      if let file = entry.files.first(where: { $0.identity == identity }) { return file.sha256 }
    }
    return nil
  }

  /// The row of the menu that an installed model came from.
  package func catalogChoice(for name: String) -> CatalogChoice? {
    let catalog = Catalog.load(directories).catalog
    if let model = catalog.model(name), model.isBundledOnly,
      bundled().contains(where: { $0.name == name })
    {
      return CatalogChoice(model: model, variant: model.variants[0])
    }
    guard let entry = RegistryStore(library: self).read().entries[name],
      let row = entry.catalogName, let model = catalog.model(row)
    else { return nil }
    let variant = model.variants.first { $0.name == entry.variant } ?? model.variants[0]
    return CatalogChoice(model: model, variant: variant)
  }

  /// How a model is loaded unless told otherwise: its row's advice below what was asked for.
  ///
  /// `path` is what would be loaded; a file from elsewhere has no row, whatever it is called.
  package func options(_ asked: ModelOptions, for name: String, path: String) -> ModelOptions {
    guard path.hasPrefix(directories.models + "/" + name), let row = catalogChoice(for: name)?.model
    else { return asked }
    var options = asked
    options.contextLength = asked.contextLength ?? row.overrides.contextLength
    options.keyValueBits = asked.keyValueBits ?? row.overrides.keyValueBits
    if options.sampling == nil, !row.sampling.isEmpty { options.sampling = row.sampling }
    return options
  }
}
